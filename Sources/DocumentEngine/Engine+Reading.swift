// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
package import QueryPlanner

extension Engine {
    /// Runs `body` in a read transaction.
    func read<R>(_ body: (inout Transaction) throws(EngineError) -> R) throws(EngineError) -> R {
        try scheduler.read(body)
    }

    /// The document at a path, or nil.
    package func document(_ path: DocumentPath) throws(EngineError) -> Document? {
        try read { (transaction) throws(EngineError) in try self.document(path, transaction) }
    }

    /// The document at a path as its record, and LMDB's number of the last commit that the read saw.
    ///
    /// - Parameter check: who may refuse the read.
    package func recordAndState(
        _ path: DocumentPath, if check: ReadCheck? = nil
    ) throws(EngineError) -> (record: DocumentRecord?, transactionID: Int) {
        try read { (transaction) throws(EngineError) in
            try self.ask(check, transaction)
            return (try self.record(path, transaction), transaction.id)
        }
    }

    private func ask(_ check: ReadCheck?, _ transaction: borrowing Transaction) throws(EngineError) {
        guard let check else { return }
        try check { (path) throws(EngineError) in try self.document(path, transaction) }
    }

    /// Whether, in one read transaction, the documents have these update times. A missing document has nil.
    package func areCurrent(_ versions: [DocumentPath: Timestamp?]) throws(EngineError) -> Bool {
        try read { (transaction) throws(EngineError) in
            for (path, updateTime) in versions {
                if try self.updateTime(path, transaction) != updateTime { return false }
            }
            return true
        }
    }

    func document(_ path: DocumentPath, _ transaction: borrowing Transaction) throws(EngineError) -> Document? {
        try lookUp(path, ids, transaction) { (record, key) throws(EngineError) in
            try Document(path, record, key: key, database: self.database)
        }
    }

    private func updateTime(_ path: DocumentPath, _ transaction: borrowing Transaction) throws(EngineError)
        -> Timestamp?
    {
        try lookUp(path, ids, transaction) { (record, key) throws(EngineError) in
            do throws(StoredFormatError) {
                return try StoredDocument(record, key: key, database: self.database).updateTime()
            } catch {
                throw EngineError(error, in: path)
            }
        }
    }

    /// The document at a path as a record, which decodes fields on access; nil if there is none.
    ///
    /// - Parameter check: who may refuse the read.
    package func record(_ path: DocumentPath, if check: ReadCheck? = nil) throws(EngineError) -> DocumentRecord? {
        try read { (transaction) throws(EngineError) in
            try self.ask(check, transaction)
            return try self.record(path, transaction)
        }
    }

    func record(
        _ path: DocumentPath, _ transaction: borrowing Transaction
    ) throws(EngineError) -> DocumentRecord? {
        let ids = ids
        return try lookUp(path, ids, transaction) { (record, key) throws(EngineError) in
            try self.record(path, record, key, ids)
        }
    }

    /// - Parameter key: the path's.
    func record(
        _ path: DocumentPath, at key: [UInt8], _ transaction: borrowing Transaction
    ) throws(EngineError) -> DocumentRecord? {
        guard let record = try transaction.get(key.span.bytes, from: .documents) else { return nil }
        return try self.record(path, record, key.span.bytes, ids)
    }

    @inline(__always)
    private func record(
        _ path: DocumentPath, _ record: RawSpan, _ key: RawSpan, _ ids: IDTable
    ) throws(EngineError) -> DocumentRecord {
        try DocumentRecord(
            record, key, idOffset: OrderedInteger.length(key.byte(at: 0)), path.collection, database: ids.database)
    }

    /// What `body` makes of the record at a path and its key; nil if there is none.
    @inline(__always)
    private func lookUp<R>(
        _ path: DocumentPath, _ ids: IDTable, _ transaction: borrowing Transaction,
        _ body: (_ record: RawSpan, _ key: RawSpan) throws(EngineError) -> R
    ) throws(EngineError) -> R? {
        guard let collectionID = try ids.collectionID(of: path.collection, transaction) else { return nil }
        let key = DocumentKey.lookupKey(of: path.id, in: collectionID)
        guard let record = try transaction.get(key.bytes, from: .documents) else { return nil }
        return try body(record, key.bytes)
    }

    /// The documents of a query as records; see ``run(_:allowScan:)``.
    package func records(_ query: Query, if check: ReadCheck? = nil) throws(QueryError) -> [DocumentRecord] {
        try answer(.documents(query), if: check) { (catalog, transaction) throws(EngineError) in
            let access: QueryAccess
            do throws(PlanningError) {
                let cache = self.planCache(of: catalog)
                access =
                    cache == nil
                    ? .plan(try Planner.plan(query, catalog: catalog.indexes, database: self.database))
                    : try Planner.access(query, catalog: catalog.indexes, database: self.database, cache: cache)
            } catch {
                return .failure(error)
            }
            let context = ExecutionContext(self.ids, catalog)
            switch access {
            case .scan(let scan):
                guard let rows = try OperatorBuilder.index(scan, [], context, &transaction) else { return .success([]) }
                return .success(
                    try context.records(of: rows, in: scan.scope.collection, limit: query.limit, &transaction))
            case .scans(let scan, let prefixes):
                guard var merge = try OperatorBuilder.merge(of: scan, prefixes, context, &transaction) else {
                    return .success([])
                }
                return .success(try merge.records(context, limit: query.limit, &transaction))
            case .plan(let plan):
                return .success(try QueryExecutor(plan.execution, context).records(&transaction))
            }
        }
    }

    /// The current index definitions.
    package func catalog() throws(EngineError) -> CatalogSnapshot { try scheduler.catalog() }

    /// LMDB's number of the last commit of any process. Reads may not see that commit yet: LMDB writes the number into
    /// the file, syncs it, and then makes the commit visible.
    package var lastTransactionID: Int { environment.info.lastTransactionID }

    /// LMDB's number of the last commit that a new read sees; nil if the file cannot be read.
    package var readableTransactionID: Int? {
        do throws(EngineError) { return try read { (transaction) in transaction.id } } catch { return nil }
    }

    /// Runs a query as production would: only if indexes serve it. With `allowScan`, a query without an index scans the
    /// documents of its scope instead.
    ///
    /// - Parameter check: who may refuse the read.
    package func run(
        _ query: Query, allowScan: Bool = false, if check: ReadCheck? = nil
    ) throws(QueryError) -> QueryResult {
        try run(.documents(query), allowScan: allowScan, if: check)
    }

    package func run(
        _ query: AggregationQuery, allowScan: Bool = false, if check: ReadCheck? = nil
    ) throws(QueryError) -> QueryResult {
        try run(.aggregation(query), allowScan: allowScan, if: check)
    }

    /// - Parameter byteGoal: how many bytes of documents are enough if indexes serve the query; see ``QueryResult/isCut``.
    package func run(
        _ request: QueryRequest, allowScan: Bool = false, by strategy: ExecutionStrategy = .fastest,
        if check: ReadCheck? = nil, byteGoal: Int? = nil
    ) throws(QueryError) -> QueryResult {
        try answer(request, if: check) { (catalog, transaction) throws(EngineError) in
            switch self.plan(request, catalog, allowScan: allowScan) {
            case .failure(let error): return .failure(error)
            case .success(let chosen):
                let context = ExecutionContext(
                    self.ids, catalog, asProduction: strategy.isProduction)
                context.byteGoal = chosen.wasScanned ? nil : byteGoal
                let executor = QueryExecutor(strategy.execution(of: chosen.plan), context)
                return .success(try executor.result(wasScanned: chosen.wasScanned, &transaction))
            }
        }
    }

    /// The way in which a request would run.
    package func plan(_ request: QueryRequest) throws(QueryError) -> ExecutionPlan {
        let catalog: CatalogSnapshot
        do throws(EngineError) { catalog = try self.catalog() } catch { throw .engine(error) }
        do {
            return try plan(request, catalog, allowScan: false).get().plan.execution
        } catch {
            throw .planning(error)
        }
    }

    /// Answers a request in one read transaction, and records it in the query log.
    func answer<R>(
        _ request: @autoclosure () -> QueryRequest, if check: ReadCheck? = nil,
        _ body: (CatalogSnapshot, inout Transaction) throws(EngineError) -> Result<R, PlanningError>
    ) throws(QueryError) -> R {
        let result: Result<R, PlanningError>
        do throws(EngineError) {
            result = try read { (transaction) throws(EngineError) in
                try self.ask(check, transaction)
                return try body(try self.catalogs.read(&transaction), &transaction)
            }
        } catch {
            throw .engine(error)
        }
        do {
            let found = try result.get()
            recorder?.record(request())
            return found
        } catch {
            if case .missingIndex = error { recorder?.record(request()) }
            throw .planning(error)
        }
    }

    /// The plan of a request, and whether it scans for want of an index.
    typealias ChosenPlan = (plan: QueryPlan, wasScanned: Bool)

    private func planCache(of catalog: CatalogSnapshot) -> PlanCache? { usesPlanCache ? catalog.plans : nil }

    func plan(
        _ request: QueryRequest, _ catalog: CatalogSnapshot, allowScan: Bool
    ) -> Result<ChosenPlan, PlanningError> {
        do throws(PlanningError) {
            let plan = try Planner.plan(
                request, catalog: catalog.indexes, database: database, cache: planCache(of: catalog))
            return .success((plan, false))
        } catch {
            guard allowScan, case .missingIndex = error else { return .failure(error) }
        }
        do throws(PlanningError) {
            return .success((try Planner.planByScanning(request, catalog: catalog.indexes, database: database), true))
        } catch {
            return .failure(error)
        }
    }
}
