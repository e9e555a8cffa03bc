// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Who writes next: commits in the order of their arrival, those that wait together in one LMDB transaction, so that they
/// share its sync.
///
/// One thread at a time *leads*: it takes what waits, writes it, delivers the results, and goes on until nothing waits. A
/// blocking caller that finds nobody leading leads for its own commit, which costs no change of threads; everything else is
/// led on ``thread``. An *exclusive* entry is a write transaction of another kind, during which its caller leads.
final class CommitQueue: Sendable {
    /// A commit, and who is told what became of it; told by the leader, so it must not wait or write.
    struct Member: Sendable {
        let writes: [Write]
        let deliver: @Sendable (Result<CommitResult, EngineError>) -> Void
    }

    private enum Entry: Sendable {
        case commit(Member)
        /// Of a caller that waits for the semaphore to lead.
        case exclusive(DispatchSemaphore)
        /// Wants to know when what came before it is done.
        case barrier(@Sendable () -> Void)
    }

    private struct State {
        var waiting: [Entry] = []
        var hasLeader = false
        /// Entries that are likely to be there soon: those of the callers that were just served or are waiting.
        var expected = 1
        /// How many entries end the leader's wait for followers; nil while it does not wait.
        var wakeCount: Int?

        mutating func append(_ entry: Entry, _ arrivals: DispatchSemaphore) {
            waiting.append(entry)
            guard let wakeCount, waiting.count >= wakeCount else { return }
            self.wakeCount = nil
            arrivals.signal()
        }

        /// Takes the commits up to the limit or the next exclusive entry; that entry itself if it is the first.
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
            if members.isEmpty, exclusive == nil { hasLeader = false }
            return (members.isEmpty ? nil : members, barriers, exclusive)
        }
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    /// Where commits are led that no blocking caller leads.
    let thread = DispatchQueue(label: "hearth.writer")

    /// A group ends once it holds this many writes, so that the memory of its transaction and the wait for it stay bounded.
    private static let groupLimit = 1_000

    /// Puts a commit at the end.
    ///
    /// - Returns: whether the caller has to see to it that somebody leads.
    func add(_ member: Member) -> Bool { add(.commit(member)) }

    /// Calls `body` once everything added before is done; at once if nothing waits or is under way.
    func whenDone(_ body: @escaping @Sendable () -> Void) {
        let isIdle = state.withLock { state in
            if state.hasLeader { state.append(.barrier(body), arrivals) }
            return !state.hasLeader
        }
        if isIdle { body() }
    }

    /// Waits until the caller leads, for a write transaction of its own.
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

    /// What the leader writes next; nil once it leads no more, because nothing waits or the next one leads itself.
    ///
    /// - Parameter commitDelay: how long to wait for the other callers that were served together with the last ones, in
    ///   nanoseconds; never for a caller that came alone.
    func next(commitDelay: UInt64) -> [Member]? {
        waitForFollowers(atMost: commitDelay)
        let (members, barriers, exclusive) = state.withLock { $0.take(CommitQueue.groupLimit) }
        for barrier in barriers { barrier() }
        exclusive?.signal()
        return members
    }

    /// Notes that a group was written, and whether the leader may stop, because nothing waits.
    func finish(_ members: [Member]) {
        state.withLock { $0.expected = members.count + $0.waiting.count }
    }

    /// Stops leading.
    ///
    /// - Returns: false if something waits: then the caller sees to it that somebody else leads.
    func stopLeading() -> Bool {
        state.withLock { state in
            state.hasLeader = !state.waiting.isEmpty
            return !state.hasLeader
        }
    }

    private func waitForFollowers(atMost delay: UInt64) {
        // A wait this short would take longer than it promises.
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
