// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// Work that threads repeat until they are stopped.
final class RepeatedWork: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let running = DispatchGroup()
    private let state = Mutex<(nanoseconds: [Double], failure: (any Error)?)>(([], nil))

    /// Repeats one piece of work on a thread, and keeps how long each repetition took.
    static func timed(
        _ body: @escaping @Sendable (_ repetition: Int) throws -> Void, while other: () throws -> Void
    ) throws -> [Double] {
        let work = RepeatedWork()
        work.start {
            var own: [Double] = []
            while !work.isDone.load(ordering: .relaxed) {
                own.append(try ContinuousClock().measure { try body(own.count) } / .nanoseconds(1))
            }
            return own
        }
        try other()
        return try work.end()
    }

    /// What several threads do together.
    struct Rate {
        /// Repetitions a second, of all threads.
        let perSecond: Double
        /// Nanoseconds of a processor that one repetition takes. Other programs hardly change it, what threads share does.
        let processorTime: Double
    }

    /// - Parameter prepare: called on each thread; returns what it repeats.
    static func rate(
        threads: Int, seconds: Double, _ prepare: @escaping @Sendable (_ thread: Int) throws -> (Int) throws -> Void
    ) throws -> Rate {
        let work = RepeatedWork()
        for thread in 0..<threads {
            work.start {
                let body = try prepare(thread)
                let (start, processor) = (ContinuousClock.now, RepeatedWork.processorTime)
                var count = 0
                while !work.isDone.load(ordering: .relaxed) {
                    for _ in 0..<16 {
                        try body(count)
                        count += 1
                    }
                }
                let spent = RepeatedWork.processorTime - processor
                return [Double(count) / ((ContinuousClock.now - start) / .seconds(1)), spent / Double(count)]
            }
        }
        Thread.sleep(forTimeInterval: seconds)
        let found = try work.end()
        let rates = stride(from: 0, to: found.count, by: 2).map { found[$0] }
        let times = stride(from: 1, to: found.count, by: 2).map { found[$0] }
        return Rate(perSecond: rates.reduce(0, +), processorTime: times.reduce(0, +) / Double(threads))
    }

    /// Of this thread, in nanoseconds.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private func start(_ body: @escaping @Sendable () throws -> [Double]) {
        running.enter()
        Thread.detachNewThread { [self] in
            defer { running.leave() }
            do {
                let found = try body()
                state.withLock { $0.nanoseconds += found }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    private func end() throws -> [Double] {
        isDone.store(true, ordering: .relaxed)
        running.wait()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.nanoseconds
        }
    }
}
