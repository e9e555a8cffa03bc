// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// Runs a query in pages, so that the memory of an answer does not depend on its length, and no transaction of the engine
    /// waits for a client.
    ///
    /// A page begins behind the last row of the one before, at the same time.
    struct QueryPages {
        private let whole: Query
        private var query: Query
        let projection: [FieldPath]?
        private var size = QueryPages.firstSize
        private var isFirst = true
        /// Whether all rows were read.
        private(set) var isDone = false

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
            if isFirst { try checkProjection(snapshot.database.id) }
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

        /// The parts are validated when they run, but without the projection.
        private func checkProjection(_ database: DatabaseID) throws(RequestError) {
            guard projection != nil else { return }
            do throws(InvalidQueryError) {
                try QueryValidator.validate(whole, database: database)
            } catch {
                throw RequestError(error)
            }
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
