// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore

/// A clock that runs only when a scenario says so.
struct VirtualTimers {
    private struct Pending {
        let ticket: Int
        let deadline: Int64
    }

    /// Microseconds.
    private(set) var now: Int64 = 1_000_000_000
    private var pending: [SyncTimer: Pending] = [:]

    var time: Timestamp { Timestamp(microseconds: now)! }

    mutating func start(_ timer: SyncTimer, _ ticket: Int, milliseconds: Int) {
        pending[timer] = Pending(ticket: ticket, deadline: now + Int64(milliseconds) * 1_000)
    }

    mutating func cancel(_ timer: SyncTimer) { pending[timer] = nil }
    mutating func cancelAll() { pending = [:] }

    /// The timer that fires next; the clock moves to it.
    mutating func next() -> (timer: SyncTimer, ticket: Int)? {
        let first = pending.min {
            ($0.value.deadline, $0.value.ticket) < ($1.value.deadline, $1.value.ticket)
        }
        return first.map { take($0.key, $0.value) }
    }

    /// A timer that runs; the clock moves to it.
    mutating func take(_ timer: SyncTimer) -> (timer: SyncTimer, ticket: Int)? {
        pending[timer].map { take(timer, $0) }
    }

    func isRunning(_ timer: SyncTimer) -> Bool { pending[timer] != nil }

    private mutating func take(_ timer: SyncTimer, _ entry: Pending) -> (timer: SyncTimer, ticket: Int) {
        pending[timer] = nil
        now = max(now, entry.deadline)
        return (timer, entry.ticket)
    }

    /// Whether a client has nothing to do where official ones try again, or tell that they are there.
    static func mayRest(_ timer: SyncTimer) -> Bool { timer == .storeRetry || timer == .peers }

    /// The timers of a scenario's name, of which the first that runs is meant; nil stands for all.
    static func named(_ name: String) -> [SyncTimer]? {
        switch name {
        case "listen_stream_idle": [.idle(.watch)]
        case "listen_stream_connection_backoff": [.backoff(.watch)]
        case "write_stream_idle": [.idle(.write)]
        case "write_stream_connection_backoff": [.backoff(.write)]
        case "online_state_timeout": [.onlineState]
        case "client_metadata_refresh": [.peers]
        // What concerns other clients is tried again when they are looked at.
        case "async_queue_retry": [.storeRetry, .peers]
        default: nil
        }
    }
}
