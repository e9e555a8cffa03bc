// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// A part of a query's answer. The first has what comes once.
    struct QueryPage: Sendable {
        var records: [DocumentRecord] = []
        /// The paths to return; nil for all. The records have more fields if they were read in pages.
        var projection: [FieldPath]?
        let readTime: Timestamp
        var transaction: [UInt8]?
        var skippedResults = 0
        var explanation: QueryExplanation?
    }

    /// One message of an answer.
    enum QueryElement: Sendable {
        case transaction([UInt8])
        /// How many rows an offset skipped; also alone, if there is no row.
        case position(skippedResults: Int)
        case document(Document)
        case explanation(QueryExplanation)
    }

    extension QueryPage {
        /// The messages of the page, in order. What comes once has a message of its own.
        func forEachElement(_ body: (QueryElement) async throws -> Void) async throws {
            if let transaction { try await body(.transaction(transaction)) }
            let isPlan = explanation.map { $0.statistics == nil } ?? false
            if skippedResults > 0 || records.isEmpty && !isPlan {
                try await body(.position(skippedResults: skippedResults))
            }
            let paths = projection.map { $0.filter { !$0.isDocumentName } }
            for record in records { try await body(.document(try record.document(paths))) }
            if let explanation { try await body(.explanation(explanation)) }
        }
    }

    extension FirestoreService {
        /// RunQuery: calls `send` for each page, and reads the next when it returns.
        func runQuery(
            _ query: Query, explain: ExplainMode?, at snapshot: Snapshot,
            _ send: (QueryPage) async throws -> Void
        ) async throws {
            if let explain {
                return try await send(try explainedPage(query, explain, at: snapshot))
            }
            // Pages are read without it.
            if query.projection != nil { try FirestoreService.validate(query, in: snapshot.database.id) }
            var pages = QueryPages(query)
            var isFirst = true
            while let page = try pages.next(at: snapshot) {
                // The page before was full, and the last.
                if !isFirst, page.records.isEmpty { return }
                var answer = QueryPage(records: page.records, projection: pages.projection, readTime: snapshot.time)
                if isFirst {
                    answer.transaction = snapshot.newTransaction
                    answer.skippedResults = page.counters.rowsSkipped
                }
                isFirst = false
                try await send(answer)
            }
        }

        private static func validate(_ query: Query, in database: DatabaseID) throws(RequestError) {
            do throws(InvalidQueryError) {
                try QueryValidator.validate(query, database: database)
            } catch {
                throw RequestError(error)
            }
        }

        private func explainedPage(
            _ query: Query, _ mode: ExplainMode, at snapshot: Snapshot
        ) throws(RequestError) -> QueryPage {
            let (explanation, result) = try snapshot.explain(.documents(query), mode)
            return QueryPage(
                records: result?.records ?? [], readTime: snapshot.time, transaction: snapshot.newTransaction,
                skippedResults: result?.counters.rowsSkipped ?? 0, explanation: explanation)
        }
    }

    /// Runs a query in pages, so that the memory of an answer does not depend on its length, and no transaction of the engine
    /// waits for a client.
    ///
    /// A page begins behind the last row of the one before, at the same time.
    private struct QueryPages {
        private let whole: Query
        private var query: Query
        let projection: [FieldPath]?
        private var size = QueryPages.firstSize
        private var isFirst = true
        private var isDone = false

        private static let firstSize = 100
        /// The size of a page that has all rows that are left.
        private static let all = Int(Int32.max)

        init(_ query: Query) {
            whole = query
            self.query = query
            // Later pages need the fields of the order.
            projection = QueryPages.canContinue(query) ? query.projection : nil
            if QueryPages.canContinue(query) { self.query.projection = nil }
        }

        /// Whether a cursor can say where the next page begins.
        private static func canContinue(_ query: Query) -> Bool { query.nearest == nil && !query.limitToLast }

        mutating func next(at snapshot: Snapshot) throws(RequestError) -> QueryResult? {
            guard !isDone else { return nil }
            var part = query
            let continues = QueryPages.canContinue(query)
            if continues { part.limit = min(query.limit ?? .max, size) }
            let result = try snapshot.run(
                .documents(part), isContinued: !isFirst, loggedAs: .documents(whole),
                byteGoal: continues && size < QueryPages.all ? FirestoreService.byteGoal : nil)
            isFirst = false
            let count = result.records.count
            isDone = !continues || count < part.limit ?? .max && !result.isCut || count == query.limit
            guard !isDone, let last = result.records.last else { return result }
            try move(behind: last, result, snapshot.database.id)
            query.limit = query.limit.map { $0 - count }
            return result
        }

        private mutating func move(
            behind last: DocumentRecord, _ page: QueryResult, _ database: DatabaseID
        ) throws(RequestError) {
            var rest = query
            rest.orders = page.plan.query.orders
            rest.start = try cursor(behind: last, rest.orders, database)
            rest.offset = 0
            do throws(InvalidQueryError) {
                try QueryValidator.validate(rest, database: database)
                query = rest
                size = QueryPages.size(after: page)
            } catch {
                // Orders that a query need not name count against its limits where a cursor makes it name them. All that is left
                // is read at once then.
                query.offset += page.records.count
                size = QueryPages.all
            }
        }

        /// A scan sorts all rows, however few are taken, so it is made once more only.
        private static func size(after page: QueryResult) -> Int {
            guard !page.wasScanned else { return QueryPages.all }
            return max(1, min(10_000, FirestoreService.byteGoal * page.records.count / max(1, page.counters.bytesRead)))
        }

        private func cursor(
            behind record: DocumentRecord, _ orders: [Order], _ database: DatabaseID
        ) throws(RequestError) -> QueryPlanner.Cursor {
            do throws(StoredFormatError) {
                let document = try record.document()
                let values = orders.map { order in
                    order.path.isDocumentName
                        ? Value.reference(Reference(database: database, path: document.path.resource))
                        : document.fields[order.path] ?? .null
                }
                return QueryPlanner.Cursor(values, before: false)
            } catch {
                throw RequestError(EngineError(error))
            }
        }
    }
#endif
