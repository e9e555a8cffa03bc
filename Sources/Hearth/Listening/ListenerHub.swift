// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentEngine
internal import DocumentModel
internal import LMDB
internal import Synchronization

/// Takes commits to the listeners that they concern.
///
/// Laws kept here:
/// - The thread that commits only looks whether anyone is concerned; the rest happens on the hub's queue, after the commit.
/// - A listener's rows are those after some commit, and become those after the next one; commits that it has seen by running its
///   query are left out.
/// - Each state is told, but to a listener that is behind, which is told the newest one.
/// - What waits to be taken to listeners is bounded: beyond ``ChangeSet``'s limit they run their queries again.
/// - Commits of other processes are noticed by LMDB's numbers, at which the hub looks when the file was written.
/// - While nobody writes, nothing runs.
final class ListenerHub: Sendable {
    private struct State {
        var index = WatchIndex()
        var watches: Set<Watch> = []
        /// Commits that concern somebody and were not yet taken there.
        var pending: [ChangeSet] = []
        var pendingCount = 0
        /// Everybody has to run again instead.
        var runsAgain = false
        var isScheduled = false
        /// Number of the last commit that was told or noticed.
        var seen = 0
        var isOpen = false
        /// Nil where nobody else can write.
        var watch: CommitWatch?
        /// The last commit that reads saw while a later one was in the file, how often that was found, and whether a look is to come.
        var awaited = (last: 0, looks: 0, isDue: false)
        var inSync: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    private static let pendingLimit = 10_000

    private let engine: Engine
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// - Parameter queue: a serial one.
    init(_ engine: Engine, on queue: DispatchQueue) {
        self.engine = engine
        self.queue = queue
    }

    deinit { state.withLock { ListenerHub.close(&$0, engine) } }
}

// MARK: - Listeners

extension ListenerHub {
    /// Adds a listener and tells it its first rows. To be called on the queue.
    func start(_ watch: Watch) throws(QueryError) {
        dispatchPrecondition(condition: .onQueue(queue))
        state.withLock { state in
            if state.watches.isEmpty { open(&state) }
            state.watches.insert(watch)
            state.index.insert(watch, watch.source.interest)
        }
        do {
            try watch.start(engine)
        } catch {
            remove(watch)
            throw error
        }
    }

    func remove(_ watch: Watch) {
        state.withLock { state in
            guard state.watches.remove(watch) != nil else { return }
            state.index.remove(watch, watch.source.interest)
            if state.watches.isEmpty { ListenerHub.close(&state, engine) }
        }
    }

    /// Ends all listeners.
    func stop() {
        let watches = state.withLock { state in
            defer {
                state.watches = []
                state.index = WatchIndex()
                state.inSync = [:]
                ListenerHub.close(&state, engine)
            }
            return state.watches
        }
        for watch in watches { watch.end() }
    }

    /// Calls `body` whenever all listeners that a commit concerns have been told.
    func addInSync(_ key: ObjectIdentifier, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.inSync[key] = body }
    }

    func removeInSync(_ key: ObjectIdentifier) {
        state.withLock { $0.inSync[key] = nil }
    }

    /// Before the first listener: from now on commits are told.
    private func open(_ state: inout State) {
        engine.changes.observe { [weak self] in self?.receive($0) }
        state.watch = engine.environment.watchCommits(on: queue) { [weak self] in self?.lookForOthers() }
        // Read after the observer is set. A commit up to this number may still be told, and is in every listener's first rows.
        state.seen = engine.readableTransactionID ?? 0
        state.isOpen = true
    }

    /// After the last listener: nothing is gathered any more.
    private static func close(_ state: inout State, _ engine: Engine) {
        guard state.isOpen else { return }
        engine.changes.observe(nil)
        state.watch?.cancel()
        state.watch = nil
        state.isOpen = false
        state.pending = []
        state.pendingCount = 0
        state.runsAgain = false
    }
}

// MARK: - Commits

extension ListenerHub {
    /// Takes a commit, on the thread that committed.
    private func receive(_ changeSet: ChangeSet) {
        schedule { state in
            // Told late, and covered by running everything again.
            guard changeSet.transactionID > state.seen else { return false }
            let isNext = changeSet.transactionID == state.seen + 1
            state.seen = changeSet.transactionID
            guard isNext, let commits = changeSet.commits else { return ListenerHub.runAgain(&state) }
            guard !state.runsAgain, commits.contains(where: state.index.concerns) else { return false }
            state.pending.append(changeSet)
            for changes in commits { state.pendingCount += changes.count }
            return state.pendingCount <= ListenerHub.pendingLimit || ListenerHub.runAgain(&state)
        }
    }

    /// Notices commits of other processes, once the file was written.
    private func lookForOthers() {
        guard let last = engine.readableTransactionID else { return }
        if last < engine.lastTransactionID { lookAgain(after: last) }
        guard last > state.withLock({ $0.seen }) else { return }
        // This process's commits are in the file before they are told. Once those under way are done, what was not told is
        // another's.
        engine.whenCommitted { [weak self] in
            self?.schedule { state in
                guard last > state.seen else { return false }
                state.seen = last
                return ListenerHub.runAgain(&state)
            }
        }
    }

    /// A commit is in the file that reads do not see yet; what lets them see it changes no file. Gives up where a writer has died in
    /// between: the next one writes to the file.
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
            lookForOthers()
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

    /// Takes what is pending to the listeners.
    private func deliver() {
        let (pending, runsAgain, all) = state.withLock { state in
            defer {
                state.isScheduled = false
                state.pending = []
                state.pendingCount = 0
                state.runsAgain = false
            }
            return (state.pending, state.runsAgain, state.runsAgain ? state.watches : [])
        }
        if runsAgain { tell(all, always: true) }
        var late: Set<Watch> = []
        for changeSet in pending {
            for changes in changeSet.commits ?? [] { late.formUnion(take(changes, of: changeSet.transactionID)) }
        }
        tell(late, always: false)
    }

    /// Takes a commit to the listeners that it concerns.
    ///
    /// - Returns: those that are behind, and are told when everything was taken to them.
    private func take(_ changes: [DocumentEngine.DocumentChange], of transactionID: Int) -> [Watch] {
        let routed = state.withLock { $0.index.route(changes) }
        for (watch, changes) in routed { watch.apply(changes, of: transactionID) }
        tell(routed.keys.filter(\.hearsEveryState), always: false)
        return routed.keys.filter { !$0.hearsEveryState }
    }

    private func tell(_ watches: some Collection<Watch>, always: Bool) {
        guard !watches.isEmpty else { return }
        for watch in watches { update(watch, always: always) }
        for body in state.withLock({ $0.inSync }).values { body() }
    }

    private func update(_ watch: Watch, always: Bool) {
        do throws(QueryError) {
            try watch.update(engine, always: always)
        } catch {
            remove(watch)
            watch.fail(FirestoreError(error, engine))
        }
    }
}
