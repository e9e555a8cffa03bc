// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Reading threads beside each other and beside a writer. Raw, each thread with a file of its own opening, shows what the processor's
/// cores share.
enum ScaleThreads {
    static let name = "scale: threads"
    private static let rounds = 7
    private static let seconds = 0.3

    /// What the threads repeat, and what a form of it costs alone.
    private typealias Work = @Sendable (_ thread: Int) throws -> (_ repetition: Int) throws -> Void

    static func run(_ bench: Bench) throws {
        let size = min(bench.size ?? 100_000, 1_000_000)
        let dataset = Tasks.dataset(size)
        let path = bench.folder.appending(path: "threads.db").path
        try HearthEngine.loadThroughPipe(dataset, into: path)
        let hearth = try HearthEngine(dataset, at: path)
        bench.report.title("Scale: reading threads, \(size) tasks")
        for (name, operation) in TaskReads.all(size).prefix(2) {
            let own = reading(operation) { hearth }
            let raw = reading(operation) { RawEngine(dataset, at: path, sharesFile: true) }
            for threads in [2, 16] { try besideEachOther(threads, name, own, raw, size, bench) }
            try besideWriter(name, own, hearth.database, size, bench)
        }
    }

    private static func reading(_ operation: Operation, _ engine: @escaping @Sendable () -> any ReadEngine) -> Work {
        let operation = UncheckedSendable(operation)
        return { thread in
            let count = operation.value.parameters.count
            guard let run = try engine().prepare(operation.value) else { throw BenchmarkError("nothing to read") }
            var answer = Answer()
            // Each thread reads elsewhere.
            return { repetition in try run((repetition &+ thread &* 977) % count, &answer) }
        }
    }

    /// What several threads do over what one does, in turns, and the processor time of one reading over that of one thread's.
    private static func gain(_ threads: Int, _ work: @escaping Work) throws -> (rate: Double, processorTime: Double) {
        let rounds = try (0..<rounds).map { _ in
            let one = try RepeatedWork.rate(threads: 1, seconds: seconds, work)
            let many = try RepeatedWork.rate(threads: threads, seconds: seconds, work)
            return (many.perSecond / one.perSecond, many.processorTime / one.processorTime)
        }
        return (rounds.map(\.0).median, rounds.map(\.1).median)
    }

    private static func besideEachOther(
        _ threads: Int, _ name: String, _ own: @escaping Work, _ raw: @escaping Work, _ size: Int, _ bench: Bench
    ) throws {
        let limit = try gain(threads, raw)
        let gain = try gain(threads, own)
        bench.report.add(
            Report.Figure(
                name: "\(name): \(threads) threads", size: size, value: gain.rate,
                unit: "times one thread (raw: \(short(limit.rate))); processor time of each "
                    + "\(short(gain.processorTime)) times (raw: \(short(limit.processorTime)))", atLeast: 1.8))
    }

    private static func besideWriter(
        _ name: String, _ work: @escaping Work, _ database: Database, _ size: Int, _ bench: Bench
    ) throws {
        let collection = database.collection("written")
        let shares = try (0..<rounds).map { _ in
            let alone = try RepeatedWork.rate(threads: 1, seconds: seconds, work)
            var beside = alone
            _ = try RepeatedWork.timed(
                { try collection.document("document\($0 % 1_000)").sync.setData(["number": $0]) },
                while: { beside = try RepeatedWork.rate(threads: 1, seconds: seconds, work) })
            return (beside.perSecond / alone.perSecond, beside.processorTime / alone.processorTime)
        }
        bench.report.add(
            Report.Figure(
                name: "\(name): beside a writer", size: size, value: shares.map(\.0).median,
                unit: "times one thread alone; processor time of each \(short(shares.map(\.1).median)) times",
                atLeast: 0.9))
    }
}

/// An operation is not changed once it is made.
private struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
