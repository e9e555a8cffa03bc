// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A clock that goes on when somebody sleeps, at once and as far as the sleeper wants.
final class VirtualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let time = Mutex(Instant(offset: .zero))
    private let readings = Mutex(0)
    private let onReading: @Sendable (Int) -> Void

    /// - Parameter onReading: called before each time that the clock is read, with how many they are.
    init(onReading: @escaping @Sendable (Int) -> Void = { _ in }) { self.onReading = onReading }

    var now: Instant {
        onReading(
            readings.withLock { readings in
                readings += 1
                return readings
            })
        return time.withLock { $0 }
    }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        time.withLock { $0 = max($0, deadline) }
        await Task.yield()
    }
}
