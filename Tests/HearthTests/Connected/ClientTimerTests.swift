// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// A client's timers.
@Suite struct ClientTimerTests {
    private let queue = DispatchQueue(label: "timers")
    private let living = Living()

    private final class Living: Sendable { let count = Atomic<Int>(0) }

    /// What a timer's work holds.
    private final class Held: Sendable {
        private let living: Living

        init(_ living: Living) {
            self.living = living
            living.count.add(1, ordering: .relaxed)
        }

        func touch() {}

        deinit { living.count.subtract(1, ordering: .relaxed) }
    }

    private func count() -> Int { living.count.load(ordering: .relaxed) }

    private func timer() -> ClientTimer {
        let held = Held(living)
        return ClientTimer(on: queue, after: 3_600_000) { held.touch() }
    }

    /// Each write of a client cancels a wait.
    @Test func cancelledTimersHoldNothing() async throws {
        let timers = (0..<1_000).map { _ in timer() }
        #expect(count() == 1_000)
        for timer in timers { timer.cancel() }
        try await wait(for: "the release of what cancelled timers held") { count() == 0 }
        withExtendedLifetime(timers) {}
    }

    @Test func releasedTimersHoldNothing() async throws {
        do {
            let timers = (0..<10).map { _ in timer() }
            #expect(count() == 10)
            withExtendedLifetime(timers) {}
        }
        try await wait(for: "the release of what released timers held") { count() == 0 }
    }

    @Test func onlyTimersThatAreNotCancelledRun() async throws {
        let (runs, cancelledRuns) = (Living(), Living())
        let cancelled = queue.sync {
            let timer = ClientTimer(on: queue, after: 0) { cancelledRuns.count.add(1, ordering: .relaxed) }
            timer.cancel()
            return timer
        }
        let timer = ClientTimer(on: queue, after: 0) { runs.count.add(1, ordering: .relaxed) }
        try await wait(for: "the timer") { runs.count.load(ordering: .relaxed) > 0 }
        queue.sync {}
        #expect(runs.count.load(ordering: .relaxed) == 1)
        #expect(cancelledRuns.count.load(ordering: .relaxed) == 0)
        withExtendedLifetime((timer, cancelled)) {}
    }
}
