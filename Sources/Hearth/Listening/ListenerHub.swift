// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import LMDB
internal import Synchronization

/// Delivers commits to the listeners that they affect.
///
/// Invariants:
/// - The committing thread only checks whether a listener is affected. The rest happens on the hub's queue, after the
///   commit.
/// - A listener's rows are those after some commit, and then those after the next one. Commits that it has seen by
///   running its query are skipped.
/// - A listener gets every state, unless it is behind: then it gets the newest one.
/// - Pending commits are bounded: beyond ``ChangeSet``'s limit, listeners run their queries again.
/// - Commits of other processes are detected by LMDB's transaction numbers, which the hub reads when the file was
///   written.
/// - While nobody writes, nothing runs.
final class ListenerHub: Sendable {
    private struct State {
        var listeners = HubListeners()
        /// Commits that affect a listener and are not delivered yet.
        var pending: [ChangeSet] = []
        var pendingCount = 0
        /// Whether all listeners run their queries again instead.
        var runsAgain = false
        var isScheduled = false
        /// The number of the last commit that was received or detected.
        var seen = 0
        var isOpen = false
        var isStopped = false
        /// Nil if no other process can write.
        var commitWatch: CommitWatch?
        /// The last commit that reads saw while the file held a later one, how often that was found, and whether a
        /// check is scheduled.
        var awaited = (last: 0, looks: 0, isDue: false)
        var inSync: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private static let pendingLimit = 10_000

    private let engine: Engine
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// - Parameter queue: a serial queue.
    init(_ engine: Engine, on queue: DispatchQueue) {
        self.engine = engine
        self.queue = queue
    }

    deinit { state.withLock { ListenerHub.close(&$0, engine) } }
}

// MARK: - Listeners

extension ListenerHub {
    /// Adds a listener and delivers its first rows, or its end if the hub was stopped. Must be called on the queue.
    func start(_ listener: QueryListener) throws(QueryError) {
        dispatchPrecondition(condition: .onQueue(queue))
        let isStopped = state.withLock { state in
            guard !state.isStopped else { return true }
            if state.listeners.isEmpty { open(&state) }
            state.listeners.insert(listener)
            return false
        }
        guard !isStopped else { return listener.end() }
        do {
            try listener.start(engine)
        } catch {
            remove(listener)
            throw error
        }
        tellInSync()
    }

    func remove(_ listener: QueryListener) {
        state.withLock { state in
            guard state.listeners.remove(listener) else { return }
            if state.listeners.isEmpty { ListenerHub.close(&state, engine) }
        }
    }

    /// Ends all listeners, and those that start later.
    func stop() {
        let (listeners, inSync) = state.withLock { state in
            defer {
                state.isStopped = true
                state.listeners = HubListeners()
                state.inSync = [:]
                ListenerHub.close(&state, engine)
            }
            return (state.listeners.all, state.inSync)
        }
        for listener in listeners { listener.end() }
        withExtendedLifetime(inSync) {}
    }

    /// Lets the listeners of users ask new security rules.
    func judgeAgain() {
        queue.async { [self] in
            tell(state.withLock { $0.listeners.all.filter(\.target.isGuarded) }, always: true)
        }
    }

    /// Calls `body` now, and whenever a listener has its first rows or all listeners that a commit affects have been
    /// notified. Must be called on the queue.
    func addInSync(_ key: ObjectIdentifier, _ body: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        let isStopped = state.withLock { state in
            if !state.isStopped { state.inSync[key] = body }
            return state.isStopped
        }
        if !isStopped { body() }
    }

    /// Calls `body` when the commits that were received so far are delivered. Calls keep their order.
    func afterDelivery(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    private func tellInSync() {
        for body in state.withLock({ $0.inSync }).values { body() }
    }

    func removeInSync(_ key: ObjectIdentifier) {
        let body = state.withLock { $0.inSync.removeValue(forKey: key) }
        // What the program's closure holds may end with it, and then call the hub: not under the lock.
        withExtendedLifetime(body) {}
    }

    /// Starts to receive commits, before the first listener is added.
    private func open(_ state: inout State) {
        engine.changes.observe { [weak self] in self?.receive($0) }
        let look: @Sendable () -> Void = { [weak self] in self?.lookForOthers(anew: true) }
        state.commitWatch = engine.environment.watchCommits(on: queue, look: look)
        // Read after the observer is set. A commit up to this number may still be received, and is in every listener's
        // first rows.
        state.seen = engine.readableTransactionID ?? 0
        state.isOpen = true
        // A commit may have been written before the watch was set, and become visible after this.
        queue.async(execute: look)
    }

    /// Stops receiving commits, after the last listener is removed.
    private static func close(_ state: inout State, _ engine: Engine) {
        guard state.isOpen else { return }
        engine.changes.observe(nil)
        state.commitWatch?.cancel()
        state.commitWatch = nil
        state.isOpen = false
        state.pending = []
        state.pendingCount = 0
        state.runsAgain = false
    }
}

// MARK: - Commits

extension ListenerHub {
    /// Receives a commit, on the thread that committed it.
    private func receive(_ changeSet: ChangeSet) {
        schedule { state in
            // Received late, and covered by running every query again.
            guard changeSet.transactionID > state.seen else { return false }
            let isNext = changeSet.transactionID == state.seen + 1
            state.seen = changeSet.transactionID
            guard isNext, let commits = changeSet.commits else { return ListenerHub.runAgain(&state) }
            guard !state.runsAgain, commits.contains(where: state.listeners.areConcerned) else { return false }
            state.pending.append(changeSet)
            for changes in commits { state.pendingCount += changes.count }
            return state.pendingCount <= ListenerHub.pendingLimit || ListenerHub.runAgain(&state)
        }
    }

    /// Detects commits of other processes, after the file was written (`anew`) or while a commit is awaited.
    private func lookForOthers(anew: Bool) {
        if anew { state.withLock { $0.awaited.looks = 0 } }
        guard let last = engine.readableTransactionID else { return }
        if last < engine.lastTransactionID { lookAgain(after: last) }
        guard last > state.withLock({ $0.seen }) else { return }
        // This process's commits are in the file before they are received. Once the pending ones are finished, a commit
        // that was not received is another process's.
        engine.whenCommitted { [weak self] in
            self?.schedule { state in
                guard last > state.seen else { return false }
                state.seen = last
                return ListenerHub.runAgain(&state)
            }
        }
    }

    /// The file holds a commit that reads do not see yet. What makes it visible does not change a file. Gives up if a
    /// writer died in between: the next writer changes the file.
    private func lookAgain(after last: Int) {
        let isDue = state.withLock { state in
            if state.awaited.last != last { state.awaited = (last, 0, state.awaited.isDue) }
            state.awaited.looks += 1
            guard state.isOpen, !state.awaited.isDue, state.awaited.looks < ListenerHub.mostLooks else { return false }
            state.awaited.isDue = true
            return true
        }
        guard isDue else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(2)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.awaited.isDue = false }
            lookForOthers(anew: false)
        }
    }

    private static let mostLooks = 1_000

    private static func runAgain(_ state: inout State) -> Bool {
        state.runsAgain = true
        state.pending = []
        state.pendingCount = 0
        return true
    }

    private func schedule(_ change: (inout State) -> Bool) {
        let isDue = state.withLock { state in
            guard change(&state), !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if isDue { queue.async { self.deliver() } }
    }

    /// Delivers the pending commits.
    private func deliver() {
        let (pending, runsAgain, all) = state.withLock { state in
            defer {
                state.isScheduled = false
                state.pending = []
                state.pendingCount = 0
                state.runsAgain = false
            }
            return (state.pending, state.runsAgain, state.runsAgain ? state.listeners.all : [])
        }
        if runsAgain { tell(all, always: true) }
        var late: Set<QueryListener> = []
        for changeSet in pending {
            for changes in changeSet.commits ?? [] { late.formUnion(take(changes, of: changeSet.transactionID)) }
        }
        tell(late, always: false)
    }

    /// Delivers a commit to the listeners that it affects.
    ///
    /// - Returns: the listeners that are behind, which are notified after all commits are delivered.
    private func take(_ changes: [DocumentEngine.DocumentChange], of transactionID: Int) -> [QueryListener] {
        let routed = state.withLock { $0.listeners.route(changes) }
        for (listener, changes) in routed { listener.apply(changes, of: transactionID) }
        tell(routed.keys.filter(\.hearsEveryState), always: false)
        return routed.keys.filter { !$0.hearsEveryState }
    }

    private func tell(_ listeners: some Collection<QueryListener>, always: Bool) {
        guard !listeners.isEmpty else { return }
        for listener in listeners { update(listener, always: always) }
        tellInSync()
    }

    private func update(_ listener: QueryListener, always: Bool) {
        do throws(QueryError) {
            try listener.update(engine, always: always)
        } catch {
            remove(listener)
            listener.fail(FirestoreError(error, engine))
        }
    }
}
