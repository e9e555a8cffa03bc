// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import Glibc
import LMDB
import StorageWorkload

/// Works until it is killed. It has several writers, each on its own thread, the last of which does not wait for its
/// commits; one thread that replaces index definitions; and one that loads. After each step, a line tells who has
/// finished which step.
struct KilledWriter {
    private let engine: Engine
    private let workload: Workload
    /// The number of each writer's first step. The last two belong to the index definitions and to the loads.
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
            let body = { [self] in first.count - writer == 3 ? workWithoutWaiting(writer) : work(writer) }
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
        var number = first[writer]
        while true {
            step(number, writer)
            number += 1
        }
    }

    private func step(_ number: Int, _ writer: Int) {
        do throws(EngineError) {
            switch first.count - writer {
            case 1: try workload.runLoad(number, on: engine)
            case 2: try engine.apply(workload.configuration(number), prune: true)
            default: try workload.run(number, writer: writer, on: engine)
            }
        } catch {
            KilledWriter.stop(number, writer, error)
        }
        KilledWriter.tell(number, writer)
    }

    /// Requests commits while previous ones are pending. A step that depends on a read waits for them.
    private func workWithoutWaiting(_ writer: Int) {
        let underWay = DispatchGroup()
        var number = first[writer]
        while true {
            if case .batch(let writes) = workload.step(number, writer: writer) {
                underWay.enter()
                let step = number
                engine.commit(writes + [Workload.progress(step, writer: writer)]) { outcome in
                    if case .failure(let error) = outcome { KilledWriter.stop(step, writer, error) }
                    KilledWriter.tell(step, writer)
                    underWay.leave()
                }
            } else {
                underWay.wait()
                step(number, writer)
            }
            number += 1
        }
    }

    private static func stop(_ number: Int, _ writer: Int, _ error: EngineError) -> Never {
        print("writer \(writer), step \(number): \(error)")
        exit(3)
    }

    private static func tell(_ number: Int, _ writer: Int) {
        // A single call, so that the line is written completely or not at all.
        let line = Array("\(writer) \(number)\n".utf8)
        guard Glibc.write(1, line, line.count) == line.count else { exit(4) }
    }
}
