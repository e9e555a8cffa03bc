// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import Synchronization

/// Builds a composite index over a million generated documents, alone and while another thread commits single
/// documents. Prints the longest of those commits, and the longest without a build.
func runBuildBenchmark() throws {
    let count = environmentNumber("DOCUMENTS") ?? 1_000_000
    try withScratchDatabase { path in
        let engine = try Engine.open(path)
        var made = 0
        _ = try engine.load(
            next: {
                guard made < count else { return nil }
                made += 1
                return GeneratedDocument.make(made - 1)
            },
            reject: { path, error in fatalError("\(path): \(error)") })
        let clock = ContinuousClock()
        let alone = try clock.measure { try engine.apply(GeneratedDocument.indexes, prune: true) }
        print("\(count) documents, one composite index of two fields: \(alone)")
        let dropping = try clock.measure { try engine.apply(IndexConfiguration(), prune: true) }
        print("removing it: \(dropping)")

        let before = CommitTimes(engine, from: count)
        try before.measure { while before.commits.load(ordering: .relaxed) < 500 {} }
        print("a writer alone: \(before.summary)")
        let during = CommitTimes(engine, from: count + 1_000_000)
        var building = Duration.zero
        try during.measure {
            building = try clock.measure { try engine.apply(GeneratedDocument.indexes, prune: true) }
        }
        print("the same build while another thread writes: \(building); that writer: \(during.summary)")
        let removing = CommitTimes(engine, from: count + 2_000_000)
        try removing.measure {
            building = try clock.measure { try engine.apply(IndexConfiguration(), prune: true) }
        }
        print("removing it meanwhile: \(building); that writer: \(removing.summary)")
    }
}

/// Commits single documents on its own thread, and records how long each commit takes.
private final class CommitTimes: Sendable {
    let commits = Atomic<Int>(0)
    private let engine: Engine
    private let start: Int
    private let isDone = Atomic<Bool>(false)
    private let times = Mutex<[Duration]>([])

    init(_ engine: Engine, from start: Int) {
        self.engine = engine
        self.start = start
    }

    func measure(_ body: () throws -> Void) throws {
        let finished = DispatchSemaphore(value: 0)
        DispatchQueue(label: "writer").async { [self] in
            let clock = ContinuousClock()
            while !isDone.load(ordering: .relaxed) {
                let (path, fields) = GeneratedDocument.make(start + commits.load(ordering: .relaxed))
                let time = clock.measure {
                    do throws(EngineError) { _ = try engine.commit([.set(path, fields)]) } catch {
                        fatalError("\(error)")
                    }
                }
                times.withLock { $0.append(time) }
                commits.add(1, ordering: .relaxed)
            }
            finished.signal()
        }
        try body()
        isDone.store(true, ordering: .relaxed)
        finished.wait()
    }

    var summary: String {
        let sorted = times.withLock { $0.sorted() }
        guard let longest = sorted.last else { return "no commits" }
        return "\(sorted.count) commits, median \(sorted[sorted.count / 2]), 99 % within "
            + "\(sorted[min(sorted.count - 1, sorted.count * 99 / 100)]), longest \(longest)"
    }
}
