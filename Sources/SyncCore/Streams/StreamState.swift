// SPDX-License-Identifier: Apache-2.0

/// One stream of the client, which is opened again and again.
struct StreamState {
    enum Phase {
        case initial
        case starting, open
        /// Open for so long that the server must have accepted the credentials.
        case healthy
        /// It has failed. The next start waits.
        case failed
        case waiting
    }

    static let idleTime = 60_000
    static let healthyAfter = 10_000

    var phase = Phase.initial
    /// The number of the last connection. Messages of earlier ones are late.
    var connection = 0
    var backoff = Backoff()
    var isIdle = false

    var isOpen: Bool { phase == .open || phase == .healthy }
    var isConnected: Bool { phase == .starting || isOpen }
    var isStarted: Bool { isConnected || phase == .waiting }
}
