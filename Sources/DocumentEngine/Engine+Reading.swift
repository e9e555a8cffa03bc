// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
internal import LMDB
package import QueryPlanner

/// What a query gave.
package struct QueryResult: Sendable {
    /// The documents, in the query's order; empty for an aggregation.
    package let records: [DocumentRecord]
    /// By alias, in the order of the request; empty for a document query.
    package let aggregates: [(alias: Text, value: Value)]
    /// What production runs.
    package let plan: QueryPlan
    /// What ran, and where the data decided, what they decided.
    package let execution: ExecutionPlan
    package let counters: ExecutionCounters
    /// Whether there was no index and documents were scanned (permissive mode).
    package let wasScanned: Bool
    /// LMDB's number of the last commit that the query saw.
    package let transactionID: Int
}

extension QueryResult {
    /// The documents with all their fields.
    package var documents: [Document] {
        get throws(QueryError) {
            var documents: [Document] = []
            documents.reserveCapacity(records.count)
            do throws(EngineError) {
                for record in records { documents.append(try record.decoded()) }
            } catch {
                throw .engine(error)
            }
            return documents
        }
    }
}

/// Why a query was not answered.
package enum QueryError: Error, Sendable {
    case planning(PlanningError)
    case engine(EngineError)
}

extension Engine {
    /// Runs `body` over one unchanging state.
    func read<R>(
        _ body: (inout CursorSet) throws(EngineError) -> R
    ) throws(EngineError) -> R {
        try environment.read { (transaction) throws(EngineError) in
            var cursors = transaction.makeCursors()
            return try body(&cursors)
        }
    }

    /// The document at a path; nil if there is none.
    package func document(_ path: DocumentPath) throws(EngineError) -> Document? {
        try read { (cursors) throws(EngineError) in try self.document(path, cursors) }
    }

    /// The document at a path, and LMDB's number of the last commit that the read saw.
    package func documentAndState(
        _ path: DocumentPath
    ) throws(EngineError) -> (document: Document?, transactionID: Int) {
        try read { (cursors) throws(EngineError) in (try self.document(path, cursors), cursors.transactionID) }
    }

    /// Whether documents were last changed at these times, all of them in one state; nil for a missing one.
    package func areCurrent(_ versions: [DocumentPath: Timestamp?]) throws(EngineError) -> Bool {
        try read { (cursors) throws(EngineError) in
            for (path, updateTime) in versions {
                if try self.document(path, cursors)?.updateTime != updateTime { return false }
            }
            return true
        }
    }

    private func document(
        _ path: DocumentPath, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Document? {
        guard let collection = try numbers.collection(path.collection, cursors) else { return nil }
        let key = DocumentKey.bytes(of: path.id, in: collection)
        guard let record = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else { return nil }
        return try Document(path, record, key: key.span.bytes, database: database)
    }

    /// The document at a path as its record, whose fields are read when they are asked for; nil if there is none.
    package func record(_ path: DocumentPath) throws(EngineError) -> DocumentRecord? {
        try read { (cursors) throws(EngineError) in
            guard let collection = try self.numbers.collection(path.collection, cursors) else { return nil }
            let key = DocumentKey.bytes(of: path.id, in: collection)
            guard let record = try self.stores.keyed(self.stores.documents).get(cursors, key.span.bytes) else {
                return nil
            }
            return try DocumentRecord(
                record, key.span.bytes, idOffset: OrderedInteger.length(key[0]), path.collection,
                database: self.database)
        }
    }

    /// The documents of a query as records; see ``run(_:allowScan:)``.
    package func records(_ query: Query) throws(QueryError) -> [DocumentRecord] {
        try answer(.documents(query)) { (catalog, cursors) throws(EngineError) in
            let access: QueryAccess
            do throws(PlanningError) {
                access = try Planner.access(
                    query, catalog: catalog.indexes, database: self.database, cache: self.planCache(of: catalog))
            } catch {
                return .failure(error)
            }
            let context = ExecutionContext(self.stores, self.numbers, catalog, self.database)
            switch access {
            case .scan(let scan):
                guard let rows = try OperatorBuilder.index(scan, [], context, &cursors) else { return .success([]) }
                return .success(try context.records(of: rows, limit: query.limit, &cursors))
            case .plan(let plan):
                return .success(try QueryExecutor(plan.execution, context).records(&cursors))
            }
        }
    }

    /// The index definitions in force.
    package func catalog() throws(EngineError) -> CatalogSnapshot {
        try read { (cursors) throws(EngineError) in try self.catalogs.read(&cursors) }
    }

    /// Runs a query as production would: only where an index serves it. With `allowScan` a query without an index runs by
    /// scanning the documents of its scope instead.
    package func run(_ query: Query, allowScan: Bool = false) throws(QueryError) -> QueryResult {
        try run(.documents(query), allowScan: allowScan)
    }

    package func run(_ query: AggregationQuery, allowScan: Bool = false) throws(QueryError) -> QueryResult {
        try run(.aggregation(query), allowScan: allowScan)
    }

    package func run(
        _ request: QueryRequest, allowScan: Bool = false, by strategy: ExecutionStrategy = .fastest
    ) throws(QueryError) -> QueryResult {
        try answer(request) { (catalog, cursors) throws(EngineError) in
            switch self.plan(request, catalog, allowScan: allowScan) {
            case .failure(let error): return .failure(error)
            case .success(let chosen):
                let context = ExecutionContext(
                    self.stores, self.numbers, catalog, self.database, asProduction: strategy.isProduction)
                let executor = QueryExecutor(strategy.execution(of: chosen.plan), context)
                return .success(try executor.result(wasScanned: chosen.wasScanned, &cursors))
            }
        }
    }

    /// How a request would be run.
    package func plan(_ request: QueryRequest) throws(QueryError) -> ExecutionPlan {
        let catalog: CatalogSnapshot
        do throws(EngineError) { catalog = try self.catalog() } catch { throw .engine(error) }
        do {
            return try plan(request, catalog, allowScan: false).get().plan.execution
        } catch {
            throw .planning(error)
        }
    }

    /// Answers a request over one unchanging state, and records it.
    private func answer<R>(
        _ request: @autoclosure () -> QueryRequest,
        _ body: (CatalogSnapshot, inout CursorSet) throws(EngineError) -> Result<R, PlanningError>
    ) throws(QueryError) -> R {
        let result: Result<R, PlanningError>
        do throws(EngineError) {
            result = try read { (cursors) throws(EngineError) in
                try body(try self.catalogs.read(&cursors), &cursors)
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

    private func planCache(of catalog: CatalogSnapshot) -> PlanCache? { usesPlanCache ? catalog.plans : nil }

    private func plan(
        _ request: QueryRequest, _ catalog: CatalogSnapshot, allowScan: Bool
    ) -> Result<(plan: QueryPlan, wasScanned: Bool), PlanningError> {
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

extension QueryExecutor {
    fileprivate func result(wasScanned: Bool, _ cursors: inout CursorSet) throws(EngineError) -> QueryResult {
        let isAggregation = !plan.query.aggregations.isEmpty
        let records = isAggregation ? [] : try records(&cursors)
        let aggregates = isAggregation ? try aggregates(&cursors) : []
        return QueryResult(
            records: records, aggregates: aggregates.map { (alias: $0.0, value: $0.1) }, plan: plan,
            execution: executed, counters: context.counters, wasScanned: wasScanned,
            transactionID: cursors.transactionID)
    }
}

extension DocumentRecord {
    func documentPath() throws(EngineError) -> DocumentPath {
        do throws(StoredFormatError) { return try path() } catch { throw EngineError(error) }
    }

    /// The document with all its fields.
    func decoded() throws(EngineError) -> Document {
        do throws(StoredFormatError) { return try document() } catch { throw EngineError(error) }
    }

    init(
        _ record: RawSpan, _ key: RawSpan, idOffset: Int, _ collection: CollectionPath, database: DatabaseID
    ) throws(EngineError) {
        var room = RecordRoom(count: key.byteCount - idOffset + record.byteCount, in: collection, database: database)
        try self.init(record, key, idOffset: idOffset, collection, copiedInto: &room)
    }

    init(
        _ record: RawSpan, _ key: RawSpan, idOffset: Int, _ collection: CollectionPath,
        copiedInto room: inout RecordRoom, isIntact: Bool = false
    ) throws(EngineError) {
        do throws(StoredFormatError) {
            self = try room.copy(record, key: key, idOffset: idOffset, isIntact: isIntact)
        } catch {
            let path = try collection.document(encodedID: key.extracting(idOffset..<key.byteCount))
            throw .damaged("\(path): \(error.description)")
        }
    }
}
