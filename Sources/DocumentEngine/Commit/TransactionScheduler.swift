// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import DocumentModel
internal import LMDB
internal import Synchronization

/// Runs a database's transactions: reads immediately, writes one after another in the order of the calls.
final class TransactionScheduler: Sendable {
    let storage: Storage
    let database: DatabaseID
    let idTables: IDTables
    let catalogs = CatalogCache()
    /// Reports commits to the observer.
    let changes = ChangeFeed()
    private let commits = CommitQueue()
    private let writerCache = WriterCache()
    /// The time of this process's last commit, even of one that changed nothing and stored no time.
    let lastCommitTime = Atomic<UInt64>(0)
    /// Nil if the engine keeps no history.
    let history: KeptHistory?

    /// - Parameters:
    ///   - latest: every commit gets a later time, if the engine keeps a history.
    ///   - firstIncarnation: see ``Engine/Options/firstIncarnation``.
    init(
        _ storage: Storage, _ database: DatabaseID, _ limits: HistoryLimits? = nil, after latest: Timestamp = .minimum,
        firstIncarnation: UInt64? = nil
    ) throws(EngineError) {
        self.storage = storage
        self.database = database
        idTables = IDTables(of: database)
        history = try KeptHistory(storage, database, limits, after: latest, firstIncarnation)
        try beginHistory()
    }

    private var environment: Environment { storage.environment }

    /// Runs `body` in a read transaction.
    func read<R>(_ body: (inout Transaction) throws(EngineError) -> R) throws(EngineError) -> R {
        try storage.read(body)
    }

    /// The current index definitions.
    func catalog() throws(EngineError) -> CatalogSnapshot {
        try read { (transaction) throws(EngineError) in try self.catalogs.read(&transaction) }
    }
}

extension TransactionScheduler {
    /// Applies writes in order, atomically. When it returns, they are as durable as the environment's mode promises.
    ///
    /// Waits for all earlier commits. Calling it inside a read or write of the same thread is a programmer error.
    ///
    /// - Parameter reads: what must not have changed; see ``Engine/commit(_:validating:if:)``.
    func commit(
        _ writes: [Write], validating reads: ReadSet? = nil, if check: CommitCheck? = nil
    ) throws(EngineError) -> CommitResult {
        try Write.check(writes, in: database)
        environment.requireOutsideTransactions()
        let outcome = CommitOutcome()
        let member = CommitQueue.Member(writes: writes, reads: reads, check: check, deliver: outcome.set)
        if commits.add(member) { leadOnce() }
        return try outcome.wait()
    }

    /// Queues a commit and returns without waiting for it.
    ///
    /// - Parameter deliver: called once, on any thread, with the result, in the order of the calls. It must neither
    ///   wait nor write.
    func commit(
        _ writes: [Write], validating reads: ReadSet? = nil, if check: CommitCheck? = nil,
        then deliver: @escaping @Sendable (Result<CommitResult, EngineError>) -> Void
    ) {
        do throws(EngineError) {
            try Write.check(writes, in: database)
        } catch {
            return commits.whenDone { deliver(.failure(error)) }
        }
        let member = CommitQueue.Member(writes: writes, reads: reads, check: check, deliver: deliver)
        if commits.add(member) { handOver() }
    }

    /// Calls `body` when all commits queued so far are done, successful or not. It must neither wait nor write.
    func whenCommitted(_ body: @escaping @Sendable () -> Void) {
        commits.whenDone(body)
    }

    /// Runs `body` in its own write transaction when its turn comes. `body` should be short, because commits wait for
    /// it.
    ///
    /// `body` may run again if the map had to grow, so it must keep nothing from a run that did not commit. The
    /// observer of ``changes`` gets the changes that `body` logs, after the commit.
    func write<R>(
        _ body: (inout Transaction, Timestamp, inout ChangeLog) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        environment.requireOutsideTransactions()
        commits.waitToLead()
        defer { handOver() }
        return try transact { (transaction, log) throws(EngineError) in
            var clock = try self.makeClock(transaction)
            let commitTime = try clock.next()
            let result = try body(&transaction, commitTime, &log)
            try clock.store(&transaction)
            return (result, commitTime)
        }
    }
}

// MARK: - Leading

extension TransactionScheduler {
    /// Leads for one group, which begins with the caller's commit.
    private func leadOnce() {
        if let members = commits.next(commitDelay: 0) { commit(members) }
        handOver()
    }

    /// Stops leading. Remaining entries are led on the writer's thread.
    private func handOver() {
        if !commits.stopLeading() { commits.thread.async { self.lead() } }
    }

    /// Leads until nothing waits.
    private func lead() {
        var commitDelay: UInt64 = 0
        while let members = commits.next(commitDelay: commitDelay) {
            let start = DispatchTime.now().uptimeNanoseconds
            commit(members)
            // Waiting for followers only pays off if they share a sync.
            let isSynced = environment.options.durability != .mayLoseDatabase
            commitDelay = isSynced ? (DispatchTime.now().uptimeNanoseconds - start) / 4 : 0
        }
    }

    private func commit(_ members: [CommitQueue.Member]) {
        let results = outcomes(of: members)
        commits.finish(members)
        for (member, result) in zip(members, results) { member.deliver(result) }
    }

    /// Writes a group in one LMDB transaction. If that fails, writes each commit in its own, so that no commit fails
    /// because of another.
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

    /// Whether a group probably changes pages all over the file, so that placing the pages pays off. A single caller
    /// makes few changes, or so many that they are neighbours. Placed pages take additional room in the file.
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
                if let reads = member.reads, try !self.isCurrent(reads, log, &transaction) {
                    results.append(.failure(.contention))
                    continue
                }
                let time = try clock.next()
                if let check = member.check, let refusal = try applier.refusal(by: check, at: time, transaction) {
                    results.append(.failure(refusal))
                    continue
                }
                results.append(try applier.apply(member.writes, at: time, &log, transaction))
            }
            self.lastCommitTime.store(clock.last, ordering: .relaxed)
            // The observer must also learn of a document that one commit creates and the next one deletes.
            let isChanged =
                try applier.finish(placingPages: TransactionScheduler.changeManyPages(members), &transaction)
                || log.hasChanges
            // If nothing changed, LMDB commits nothing and does not sync.
            if isChanged { try clock.store(&transaction) }
            return ((results, applier.cacheContent), isChanged ? clock.time : nil)
        }
        writerCache.put(cacheContent)
        return results
    }

    private func makeClock(_ transaction: borrowing Transaction) throws(EngineError) -> CommitClock {
        let known = lastCommitTime.load(ordering: .relaxed)
        guard let history else { return try CommitClock(after: known, now: storage.now, transaction) }
        let last = try max(known, Counter(.commitTime).value(transaction))
        let start = history.times.begin(after: last, now: storage.now())
        return try CommitClock(after: start, now: storage.now, transaction)
    }

    /// - Parameter body: returns its result, and the time of the last commit in it, or nil if it changed nothing.
    private func transact<R>(
        _ body: (inout Transaction, inout ChangeLog) throws(EngineError) -> (R, Timestamp?)
    ) throws(EngineError) -> R {
        var changeSet: ChangeSet?
        do throws(EngineError) {
            let result = try storage.write { (transaction) throws(EngineError) in
                var log = ChangeLog(isObserved: self.changes.isObserved, try self.history?.recorder(&transaction))
                let (result, commitTime) = try body(&transaction, &log)
                if let commitTime {
                    try log.history?.finish(at: UInt64(commitTime.microseconds), &transaction)
                }
                changeSet = commitTime.map {
                    ChangeSet(transactionID: transaction.id, commitTime: $0, commits: log.commits)
                }
                return result
            }
            endCommits(at: changeSet?.commitTime)
            if let changeSet { changes.publish(changeSet) }
            return result
        } catch {
            endCommits(at: nil)
            catalogs.invalidate()
            throw error
        }
    }
}

extension TransactionScheduler {
    /// Tells readers that nothing is being written.
    private func endCommits(at last: Timestamp?) {
        let stored = last.map { UInt64($0.microseconds) } ?? 0
        history?.times.end(at: max(stored, lastCommitTime.load(ordering: .relaxed)))
    }
}
