// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import LMDB
internal import Synchronization

/// Runs the transactions of a database: reads at once, writes one after another in the order in which they were asked for.
final class TransactionScheduler: Sendable {
    let storage: Storage
    let database: DatabaseID
    let ids: IDTable
    let catalogs: CatalogCache
    /// Where commits are told.
    let changes = ChangeFeed()
    private let commits = CommitQueue()
    private let writerCache = WriterCache()
    /// When the last commit of this process was made, also one that changed nothing and left no time in the file.
    let lastCommitTime = Atomic<UInt64>(0)

    init(_ storage: Storage, _ database: DatabaseID) {
        self.storage = storage
        self.database = database
        ids = IDTable()
        catalogs = CatalogCache(ids)
    }

    private var environment: Environment { storage.environment }

    /// Runs `body` over one unchanging state.
    func read<R>(_ body: (inout Transaction) throws(EngineError) -> R) throws(EngineError) -> R {
        try storage.read(body)
    }

    /// The index definitions in force.
    func catalog() throws(EngineError) -> CatalogSnapshot {
        try read { (transaction) throws(EngineError) in try self.catalogs.read(&transaction) }
    }
}

extension TransactionScheduler {
    /// Applies writes in order, all or none; when it returns, they are as durable as the environment's mode says.
    ///
    /// It waits for commits asked for before it. Calling it inside a read or a write of the same thread is a programmer error.
    func commit(_ writes: [Write]) throws(EngineError) -> CommitResult {
        try WriteValidator.validate(writes, database: database)
        environment.requireOutsideTransactions()
        let outcome = Outcome()
        if commits.add(CommitQueue.Member(writes: writes, deliver: outcome.set)) { leadOnce() }
        return try outcome.wait()
    }

    /// The same without waiting.
    ///
    /// - Parameter deliver: is called once, on any thread, with the result, in the order of the calls. It must neither wait nor
    ///   write.
    func commit(
        _ writes: [Write], then deliver: @escaping @Sendable (Result<CommitResult, EngineError>) -> Void
    ) {
        do throws(EngineError) {
            try WriteValidator.validate(writes, database: database)
        } catch {
            return commits.whenDone { deliver(.failure(error)) }
        }
        if commits.add(CommitQueue.Member(writes: writes, deliver: deliver)) { handOver() }
    }

    /// Calls `body` when every commit asked for so far is done, successful or not. It must neither wait nor write.
    func whenCommitted(_ body: @escaping @Sendable () -> Void) {
        commits.whenDone(body)
    }

    /// Runs `body` in a write transaction of its own, when it is its turn; it should be short, for commits wait meanwhile.
    ///
    /// It may run again when the map has grown, so it must keep nothing of a run that did not commit. What it notes in the log is
    /// told to the observer of ``changes`` once it is committed.
    func write<R>(
        _ body: (inout Transaction, Timestamp, inout ChangeLog) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        environment.requireOutsideTransactions()
        commits.waitToLead()
        defer { handOver() }
        return try transact { (transaction, log) throws(EngineError) in
            var clock = try self.makeClock(transaction)
            let commitTime = try clock.next()
            try clock.store(&transaction)
            return (try body(&transaction, commitTime, &log), commitTime)
        }
    }
}

// MARK: - Leading

extension TransactionScheduler {
    /// Leads for one group, the first of which is the caller's.
    private func leadOnce() {
        if let members = commits.next(commitDelay: 0) { commit(members) }
        handOver()
    }

    /// Stops leading; whatever waits is led on the writer's thread.
    private func handOver() {
        if !commits.stopLeading() { commits.thread.async { self.lead() } }
    }

    /// Leads until nothing waits.
    private func lead() {
        var commitDelay: UInt64 = 0
        while let members = commits.next(commitDelay: commitDelay) {
            let start = DispatchTime.now().uptimeNanoseconds
            commit(members)
            // Waiting for company only pays where a sync is shared.
            let isSynced = environment.options.durability != .mayLoseDatabase
            commitDelay = isSynced ? (DispatchTime.now().uptimeNanoseconds - start) / 4 : 0
        }
    }

    private func commit(_ members: [CommitQueue.Member]) {
        let results = outcomes(of: members)
        commits.finish(members)
        for (member, result) in zip(members, results) { member.deliver(result) }
    }

    /// In one LMDB transaction; should that fail, each in one of its own, so that none fails for another's sake.
    private func outcomes(of members: [CommitQueue.Member]) -> [Result<CommitResult, EngineError>] {
        do throws(EngineError) {
            return try apply(members)
        } catch {
            guard members.count > 1 else { return [.failure(error)] }
            return members.map { member in
                do throws(EngineError) { return try apply([member])[0] } catch { return .failure(error) }
            }
        }
    }

    /// Whether callers wait together whose changes lie all over the file. One that comes alone has not as many changes, or so many
    /// that they are neighbours, and is not given room that it does not need.
    private static func changeManyPages(_ members: [CommitQueue.Member]) -> Bool {
        members.count > 1 && (4..<256).contains(members.reduce(0) { $0 + $1.writes.count })
    }

    private func apply(_ members: [CommitQueue.Member]) throws(EngineError) -> [Result<CommitResult, EngineError>] {
        let (results, cacheContent) = try transact { (transaction, log) throws(EngineError) in
            let catalog = try self.catalogs.read(&transaction)
            var clock = try self.makeClock(transaction)
            let cached = self.writerCache.take(catalogVersion: catalog.version)
            var applier = try WriteApplier(catalog, cached: cached, database: self.database, &transaction)
            var results: [Result<CommitResult, EngineError>] = []
            for member in members {
                results.append(try applier.apply(member.writes, at: try clock.next(), &log, transaction))
            }
            self.lastCommitTime.store(clock.last, ordering: .relaxed)
            // Observers hear of a document that one commit made and the next one deleted.
            let isChanged =
                try applier.finish(placingPages: TransactionScheduler.changeManyPages(members), &transaction)
                || log.hasChanges
            // A transaction that changes nothing is no commit of LMDB's and costs no sync.
            if isChanged { try clock.store(&transaction) }
            return ((results, applier.cacheContent), isChanged ? clock.time : nil)
        }
        writerCache.put(cacheContent)
        return results
    }

    private func makeClock(_ transaction: borrowing Transaction) throws(EngineError) -> CommitClock {
        try CommitClock(after: lastCommitTime.load(ordering: .relaxed), transaction)
    }

    /// - Parameter body: returns its result and the time of the last commit in it, nil if it changed nothing.
    private func transact<R>(
        _ body: (inout Transaction, inout ChangeLog) throws(EngineError) -> (R, Timestamp?)
    ) throws(EngineError) -> R {
        var changeSet: ChangeSet?
        do throws(EngineError) {
            let result = try storage.write { (transaction) throws(EngineError) in
                var log = ChangeLog(isObserved: self.changes.isObserved)
                let (result, commitTime) = try body(&transaction, &log)
                changeSet = commitTime.map {
                    ChangeSet(transactionID: transaction.id, commitTime: $0, commits: log.commits)
                }
                return result
            }
            if let changeSet { changes.publish(changeSet) }
            return result
        } catch {
            catalogs.invalidate()
            throw error
        }
    }
}

/// What became of a commit, for the thread that waits for it.
private final class Outcome: Sendable {
    private let result = Mutex<Result<CommitResult, EngineError>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    @Sendable func set(_ new: Result<CommitResult, EngineError>) {
        result.withLock { $0 = new }
        isSet.signal()
    }

    func wait() throws(EngineError) -> CommitResult {
        isSet.wait()
        guard let result = result.withLock({ $0 }) else { fatalError("A commit ended without a result.") }
        return try result.get()
    }
}
