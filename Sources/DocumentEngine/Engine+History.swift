// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

// The state of the database at past times. All calls need ``Options/history`` and hold no transaction between them. Those that take
// a time throw:
// - INVALID_ARGUMENT for a time in the future, or before the database was created;
// - FAILED_PRECONDITION for a time that is older than the history kept.
extension Engine {
    /// Whether the engine keeps the history of documents.
    package var keepsHistory: Bool { scheduler.history != nil }

    /// The present, as a time to read at: every commit up to it is done and visible, and every later commit has a later time.
    ///
    /// It is never earlier than the time of a commit that has returned. While another process has the file open, it is the time of
    /// the last commit.
    package func readTime() throws(EngineError) -> Timestamp {
        let history = try requireHistory()
        let stored = try read { (transaction) throws(EngineError) in try Counter(.commitTime).value(transaction) }
        let now = max(stored, scheduler.storage.now())
        // Asked after the clock: a process that opens the file later gives its commits later times.
        let settled = environment.isAlone ? history.times.settled(now: now) : stored
        return try Engine.time(settled)
    }

    /// An empty read set at ``readTime()``, for a transaction.
    package func beginReading() throws(EngineError) -> ReadSet {
        // In this order: a restored database then has another incarnation than the read set.
        let incarnation = try incarnation()
        return ReadSet(at: try readTime(), incarnation: incarnation)
    }

    /// The latest time that a commit or a read of this engine had, or a commit in the file when it was opened, or
    /// ``Options/latestTime``. Every commit from now on has a later time.
    package var latestTime: Timestamp {
        Timestamp(microseconds: Int64(clamping: scheduler.history?.times.latest ?? 0)) ?? .maximum
    }

    /// The earliest time that can be read.
    package func earliestReadTime() throws(EngineError) -> Timestamp {
        let history = try requireHistory()
        let floor = try read { (transaction) throws(EngineError) in
            let last = try Counter(.commitTime).value(transaction)
            guard let head = try HistoryHead.read(from: history.reader.store, transaction),
                try head.isComplete(transaction)
            else { return last }
            return max(head.floor, head.created)
        }
        return try Engine.time(max(floor, history.windowStart))
    }

    /// The number of a commit up to which no document has changed after a time, be it back again; nil if one has.
    ///
    /// - Parameter incarnation: that of the time.
    package func lastCommit(
        ifUnchangedSince time: Timestamp, _ incarnation: UInt64
    ) throws(EngineError) -> Int? {
        let (history, start) = (try requireHistory(), UInt64(max(0, time.microseconds)))
        return try read { (transaction) throws(EngineError) -> Int? in
            guard try Counter(.incarnation).value(transaction) == incarnation else { return nil }
            try history.requireReadable(start, transaction)
            var isUnchanged = true
            try history.reader.forEachChange(from: .after(start), &transaction) { _, _ in
                isUnchanged = false
                return false
            }
            return isUnchanged ? transaction.id : nil
        }
    }

    /// When the database was created, empty; nil if that is not known, because it had commits before it had a history.
    package func creationTime() throws(EngineError) -> Timestamp? {
        let history = try requireHistory()
        let head = try read { (transaction) throws(EngineError) in
            try HistoryHead.read(from: history.reader.store, transaction)
        }
        guard let head, head.created > 0 else { return nil }
        return try Engine.time(head.created)
    }

    /// A random number that belongs to the database's history; 0 if it never had one. ``clear()`` and ``restore(to:)`` replace it,
    /// so that a time says nothing about another incarnation.
    package func incarnation() throws(EngineError) -> UInt64 {
        try read { (transaction) throws(EngineError) in try Counter(.incarnation).value(transaction) }
    }

    /// The document at a path at a time; nil if there was none.
    package func record(_ path: DocumentPath, at time: Timestamp) throws(EngineError) -> DocumentRecord? {
        try records([path], at: time)[0]
    }

    /// The documents at some paths at a time, in the order of the paths.
    ///
    /// - Parameter byteGoal: how many bytes of documents are enough: no more of the paths are read then.
    package func records(
        _ paths: [DocumentPath], at time: Timestamp, byteGoal: Int = .max
    ) throws(EngineError) -> [DocumentRecord?] {
        try read(at: time) { (microseconds, history, transaction) throws(EngineError) in
            var records: [DocumentRecord?] = []
            var bytes = 0
            for path in paths where bytes < byteGoal {
                let record = try self.record(path, at: microseconds, history.reader, &transaction)
                records.append(record)
                bytes += record?.byteCount ?? 0
            }
            return records
        }
    }

    func record(
        _ path: DocumentPath, at time: UInt64, _ history: HistoryReader, _ transaction: inout Transaction
    ) throws(EngineError) -> DocumentRecord? {
        guard let collectionID = try ids.collectionID(of: path.collection, transaction) else { return nil }
        let key = DocumentKey.bytes(of: path.id, in: collectionID)
        if let change = try history.firstChange(of: key, after: time, &transaction) { return change.replaced }
        return try record(path, transaction)
    }

    /// Runs a query at a time, as ``run(_:allowScan:by:)`` does now. The current indexes decide whether it is served.
    ///
    /// - Parameter byteGoal: how many bytes of documents are enough if indexes serve the query; see ``QueryResult/isCut``. A scan would
    ///   sort all rows again for those that are left.
    package func run(
        _ request: QueryRequest, at time: Timestamp, allowScan: Bool = false, by strategy: ExecutionStrategy = .fastest,
        byteGoal: Int? = nil
    ) throws(QueryError) -> QueryResult {
        try answer(request, at: time, allowScan: allowScan) {
            (chosen, catalog, past, transaction) throws(EngineError) in
            let context = ExecutionContext(self.ids, catalog, asProduction: strategy.isProduction)
            context.byteGoal = chosen.wasScanned ? nil : byteGoal
            context.past = past
            let executor = QueryExecutor(strategy.execution(of: chosen.plan), context)
            return try executor.result(wasScanned: chosen.wasScanned, &transaction)
        }
    }

    /// Plans a request, and answers it with what has changed in its scope since a time.
    func answer<R>(
        _ request: QueryRequest, at time: Timestamp, allowScan: Bool,
        _ body: (ChosenPlan, CatalogSnapshot, PastVersions?, inout Transaction) throws(EngineError) -> R
    ) throws(QueryError) -> R {
        let (history, microseconds): (KeptHistory, UInt64)
        do throws(EngineError) { (history, microseconds) = try settle(time) } catch { throw .engine(error) }
        return try answer(request) { (catalog, transaction) throws(EngineError) in
            try history.requireReadable(microseconds, transaction)
            switch self.plan(request, catalog, allowScan: allowScan) {
            case .failure(let error): return .failure(error)
            case .success(let chosen):
                let past = try self.past(at: microseconds, chosen.plan.query.scope, history, &transaction)
                return .success(try body(chosen, catalog, past, &transaction))
            }
        }
    }
}

// MARK: - The past in a transaction

extension Engine {
    /// Runs `body` with a time, in microseconds since 1970, that can be read.
    func read<R>(
        at time: Timestamp,
        _ body: (UInt64, KeptHistory, inout Transaction) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        let (history, microseconds) = try settle(time)
        return try read { (transaction) throws(EngineError) in
            try history.requireReadable(microseconds, transaction)
            return try body(microseconds, history, &transaction)
        }
    }

    /// What has changed in a scope since a time; nil for nothing.
    func past(
        at time: UInt64, _ scope: DocumentScope, _ history: KeptHistory, _ transaction: inout Transaction
    ) throws(EngineError) -> PastVersions? {
        guard try Counter(.commitTime).value(transaction) > time else { return nil }
        let past = try PastVersions(at: time, in: scope, history.reader, &transaction)
        return past.isEmpty ? nil : past
    }

    /// Makes sure that all commits up to a time are done.
    private func settle(_ time: Timestamp) throws(EngineError) -> (KeptHistory, UInt64) {
        let history = try requireHistory()
        guard time.microseconds >= 0 else { throw .beforeCreation }
        let microseconds = UInt64(time.microseconds)
        guard history.times.settle(microseconds, now: scheduler.storage.now()) else { throw .readTimeInFuture }
        return (history, microseconds)
    }

    func requireHistory() throws(EngineError) -> KeptHistory {
        guard let history = scheduler.history else { throw .historyIsOff }
        return history
    }

    static func time(_ microseconds: UInt64) throws(EngineError) -> Timestamp {
        guard let time = Timestamp(microseconds: Int64(clamping: microseconds)) else {
            throw .damaged("the time of the last commit is beyond the year 9999")
        }
        return time
    }
}
