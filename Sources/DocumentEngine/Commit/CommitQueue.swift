// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import Synchronization

/// Decides who writes next. Commits are written in the order of their arrival. Those that wait together share an LMDB
/// transaction and its sync.
///
/// One thread at a time *leads*: it takes waiting commits, writes them, delivers the results, and continues until
/// nothing waits. A blocking caller leads for its own commit if there is no leader, which saves a thread switch;
/// everything else is led on ``thread``. An *exclusive* entry is any other write transaction, during which its caller
/// leads.
final class CommitQueue: Sendable {
    /// A commit and its callback. The leader runs the callback, so it must neither wait nor write.
    struct Member: Sendable {
        let writes: [Write]
        /// What must not have changed.
        var reads: ReadSet?
        /// Who may refuse it.
        var check: CommitCheck?
        let deliver: @Sendable (Result<CommitResult, EngineError>) -> Void
    }

    private enum Entry: Sendable {
        case commit(Member)
        /// A caller that waits for the semaphore, then leads.
        case exclusive(DispatchSemaphore)
        /// Called when all earlier entries are done.
        case barrier(@Sendable () -> Void)
    }

    private struct State {
        var waiting: [Entry] = []
        var hasLeader = false
        /// The number of entries that will probably wait soon: those of the callers just served, and those already
        /// waiting.
        var expected = 1
        /// The number of entries that ends the leader's wait for followers; nil while it does not wait.
        var wakeCount: Int?

        mutating func append(_ entry: Entry, _ arrivals: DispatchSemaphore) {
            waiting.append(entry)
            guard let wakeCount, waiting.count >= wakeCount else { return }
            self.wakeCount = nil
            arrivals.signal()
        }

        /// Takes commits up to the limit or up to the next exclusive entry. If the exclusive entry is first, takes
        /// that. The leader stops leading where nothing waits.
        mutating func take(
            _ limit: Int
        ) -> (members: [Member]?, barriers: [@Sendable () -> Void], exclusive: DispatchSemaphore?) {
            var members: [Member] = []
            var barriers: [@Sendable () -> Void] = []
            var exclusive: DispatchSemaphore?
            var taken = 0
            var writes = 0
            scan: for entry in waiting {
                switch entry {
                case .commit(let member):
                    if !members.isEmpty, writes + member.writes.count > limit { break scan }
                    members.append(member)
                    writes += member.writes.count
                case .barrier(let barrier):
                    guard members.isEmpty else { break scan }
                    barriers.append(barrier)
                case .exclusive(let semaphore):
                    guard members.isEmpty else { break scan }
                    exclusive = semaphore
                }
                taken += 1
                if exclusive != nil { break }
            }
            waiting.removeFirst(taken)
            if taken == 0 { hasLeader = false }
            return (members.isEmpty ? nil : members, barriers, exclusive)
        }
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    /// Leads commits that no blocking caller leads.
    let thread = DispatchQueue(label: "hearth.writer")

    /// Limits the writes of a group, and thereby the memory and the duration of its transaction.
    private static let groupLimit = 1_000

    /// Appends a commit.
    ///
    /// - Returns: whether the caller must lead or find a leader.
    func add(_ member: Member) -> Bool { add(.commit(member)) }

    /// Calls `body` when all earlier entries are done, or immediately if there are none.
    func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.hasLeader { state.append(.barrier(body), arrivals) }
            return !state.hasLeader
        }
        if isIdle { body() }
    }

    /// Waits until the caller leads, for its own write transaction.
    func waitToLead() {
        let semaphore = DispatchSemaphore(value: 0)
        if !add(.exclusive(semaphore), unlessIdle: true) { semaphore.wait() }
    }

    private func add(_ entry: Entry, unlessIdle: Bool = false) -> Bool {
        state.withLock { state in
            let isLeader = !state.hasLeader
            state.hasLeader = true
            if !(isLeader && unlessIdle) { state.append(entry, arrivals) }
            return isLeader
        }
    }

    // MARK: - For the leader

    /// The next group to write. Nil when the leader stops leading, because nothing waits or because an exclusive caller
    /// leads.
    ///
    /// - Parameter commitDelay: the maximum wait, in nanoseconds, for the other callers of the last group. A caller
    ///   that came alone does not wait.
    func next(commitDelay: UInt64) -> [Member]? {
        waitForFollowers(atMost: commitDelay)
        while true {
            let (members, barriers, exclusive) = state.withLock { $0.take(CommitQueue.groupLimit) }
            for barrier in barriers { barrier() }
            exclusive?.signal()
            // After barriers alone the leader goes on leading: without one, a later barrier would not wait for them.
            if members != nil || exclusive != nil || barriers.isEmpty { return members }
        }
    }

    /// Records the size of the group that was written, from which the leader estimates the next one.
    func finish(_ members: [Member]) {
        state.withLock { $0.expected = members.count + $0.waiting.count }
    }

    /// Stops leading.
    ///
    /// - Returns: false if something waits. The caller must then find another leader.
    func stopLeading() -> Bool {
        state.withLock { state in
            state.hasLeader = !state.waiting.isEmpty
            return !state.hasLeader
        }
    }

    private func waitForFollowers(atMost delay: UInt64) {
        // A shorter wait would take longer than intended.
        guard delay > 50_000 else { return }
        let mustWait = state.withLock { state in
            let wanted = min(state.expected, CommitQueue.groupLimit)
            guard wanted > 1, state.waiting.count < wanted else { return false }
            state.wakeCount = wanted
            return true
        }
        guard mustWait, arrivals.wait(timeout: .now() + .nanoseconds(Int(clamping: delay))) == .timedOut else {
            return
        }
        let wasWoken = state.withLock { state in
            defer { state.wakeCount = nil }
            return state.wakeCount == nil
        }
        if wasWoken { arrivals.wait() }
    }
}
