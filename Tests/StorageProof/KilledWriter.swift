// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Glibc
import LMDB
import StorageWorkload

/// Works until it is killed: several writers, each on a thread of its own, one more that exchanges index definitions. After each
/// step a line tells who has finished which.
struct KilledWriter {
    private let engine: Engine
    private let workload: Workload
    /// For each writer the number of its first step; the last is that of the index definitions.
    private let first: [Int]

    /// `write DATABASE SEED MAPSIZE DURABILITY FIRST…`
    init(_ arguments: [String]) throws {
        var options = Engine.Options()
        options.mapSize = Int(arguments[3])!
        options.durability = StorageProof.durabilities[Int(arguments[4])!]
        engine = try Engine.open(arguments[1], options)
        workload = Workload(seed: UInt64(arguments[2])!, appliesIndexes: false)
        first = arguments.dropFirst(5).map { Int($0)! }
    }

    func run() {
        var threads: [pthread_t] = []
        for writer in first.indices {
            let body = { [self] in work(writer) }
            var thread = pthread_t()
            let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
            pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                    return nil
                }, context)
            threads.append(thread)
        }
        for thread in threads { pthread_join(thread, nil) }
    }

    private final class Body {
        let run: () -> Void
        init(run: @escaping () -> Void) { self.run = run }
    }

    private func work(_ writer: Int) {
        let appliesIndexes = writer == first.count - 1
        var number = first[writer]
        while true {
            do throws(EngineError) {
                if appliesIndexes {
                    try engine.apply(workload.configuration(number), prune: true)
                } else {
                    try workload.run(number, writer: writer, on: engine)
                }
            } catch {
                print("writer \(writer), step \(number): \(error)")
                exit(3)
            }
            // One call, so that the line is there whole or not at all.
            let line = Array("\(writer) \(number)\n".utf8)
            guard Glibc.write(1, line, line.count) == line.count else { exit(4) }
            number += 1
        }
    }
}
