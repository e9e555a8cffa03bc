// SPDX-License-Identifier: Apache-2.0

/// Decides when the client counts as offline: after one failed attempt or ten seconds of silence.
struct OnlineStateTracker {
    static let timeout = 10_000
    private static let mostFailures = 1

    enum Timer {
        case start, cancel, keep
    }

    private(set) var state = OnlineState.unknown
    private var failures = 0

    /// The listen stream starts to connect.
    mutating func streamStarts() -> Timer {
        guard failures == 0 else { return .keep }
        state = .unknown
        return .start
    }

    /// A stream that had worked may be interrupted for a moment; one that never did means that the server is away.
    mutating func streamFails() -> Timer {
        guard state != .online else {
            state = .unknown
            return .keep
        }
        failures += 1
        guard failures >= OnlineStateTracker.mostFailures else { return .keep }
        state = .offline
        return .cancel
    }

    mutating func timeoutPasses() { state = .offline }

    mutating func set(_ state: OnlineState) -> Timer {
        self.state = state
        failures = 0
        return .cancel
    }
}
