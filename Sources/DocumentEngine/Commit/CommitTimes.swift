// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Tells readers up to which time the commits of this process are done, and keeps later ones after it. In microseconds since 1970.
final class CommitTimes: Sendable {
    private struct State {
        /// No commit that begins from now on may have this time or an earlier one.
        var last: UInt64
        /// The commits that are being written have later times than this; nil if there are none.
        var running: UInt64?
        var waiting: [DispatchSemaphore] = []
    }

    private let state: Mutex<State>

    /// - Parameter last: the time of the last commit in the file, or of a later read by an earlier engine.
    init(after last: UInt64) {
        state = Mutex(State(last: last))
    }

    /// Commits are about to get their times.
    ///
    /// - Parameters:
    ///   - last: the time of the last commit in the file.
    ///   - now: readers meanwhile read at a time just before it. The last time known is, on a database at rest, older than the
    ///     history that is kept.
    /// - Returns: a time that must be before theirs.
    func begin(after last: UInt64, now: UInt64) -> UInt64 {
        state.withLock { state in
            let start = max(state.last, last, now - min(now, 1))
            state.last = start
            state.running = start
            return start
        }
    }

    /// The commits are done, or have failed. The last of them had this time.
    func end(at last: UInt64) {
        let waiting = state.withLock { state in
            state.last = max(state.last, last)
            state.running = nil
            defer { state.waiting = [] }
            return state.waiting
        }
        for semaphore in waiting { semaphore.signal() }
    }

    /// No commit that begins from now on has this time or an earlier one.
    var latest: UInt64 { state.withLock { $0.last } }

    /// The latest time up to which all commits are done.
    ///
    /// - Parameter now: makes it this time if nothing is being written and it is later.
    func settled(now: UInt64) -> UInt64 {
        state.withLock { state in
            if let running = state.running { return running }
            state.last = max(state.last, now)
            return state.last
        }
    }

    /// Makes sure that no commit up to a time is yet to come. Waits for the commits that are being written if they may have such a
    /// time.
    ///
    /// - Returns: false if the time is in the future, that is, after `now` and after every known commit.
    func settle(_ time: UInt64, now: UInt64) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        let (isPast, mustWait) = state.withLock { state in
            guard time <= max(now, state.last) else { return (false, false) }
            state.last = max(state.last, time)
            guard let running = state.running, running < time else { return (true, false) }
            state.waiting.append(semaphore)
            return (true, true)
        }
        if mustWait { semaphore.wait() }
        return isPast
    }
}
