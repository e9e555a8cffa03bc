// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import IndexCatalog
    internal import QueryPlanner
    internal import Synchronization

    /// What one request did, for the log and the feed.
    final class RequestRecord: Sendable {
        /// Nil if nobody watches.
        @TaskLocal static var current: RequestRecord?

        /// What the request did.
        struct Done {
            var database: DatabaseID?
            var documentsRead = 0
            var documentsWritten = 0
            /// The first queries. A listener of rows that depend on each other runs its query after each commit.
            var queries: [LoggedQuery] = []
            var queryCount = 0
            var entriesScanned = 0
            var accesses: [RuledAccess] = []
        }

        private let state = Mutex(Done())

        var done: Done { state.withLock { $0 } }

        func name(_ database: DatabaseID) { state.withLock { $0.database = database } }

        func read(_ count: Int) { state.withLock { $0.documentsRead += count } }

        func wrote(_ count: Int) { state.withLock { $0.documentsWritten += count } }

        /// Notes what rules have decided. Of a request for very many documents, the first ones tell enough.
        func note(_ accesses: [RuledAccess]) {
            state.withLock { $0.accesses += accesses.prefix(RequestRecord.limit - $0.accesses.count) }
        }

        /// Accesses, and queries, that are kept of a request.
        fileprivate static let limit = 100

        /// Notes a query's result, or the result of one of its later pages.
        func note(_ request: QueryRequest, _ result: QueryResult, isContinued: Bool) {
            state.withLock { done in
                done.documentsRead += result.counters.rows
                done.entriesScanned += result.counters.entriesScanned
                if !isContinued || done.queryCount == 0 {
                    let indexes = result.wasScanned ? ["scan"] : result.plan.indexesUsed.map(\.properties)
                    done.add(LoggedQuery(request: request, indexes: indexes.joined(separator: " ")))
                }
                guard done.queries.count == done.queryCount else { return }
                done.queries[done.queries.count - 1].rows += result.counters.rows
                done.queries[done.queries.count - 1].entries += result.counters.entriesScanned
            }
        }

        /// Notes a query that was refused.
        func note(_ request: QueryRequest, _ refusal: RequestError) {
            state.withLock { $0.add(LoggedQuery(request: request, indexes: "", refusal: refusal)) }
        }
    }

    extension RequestRecord.Done {
        fileprivate mutating func add(_ query: LoggedQuery) {
            queryCount += 1
            if queryCount <= RequestRecord.limit { queries.append(query) }
        }
    }

    /// A query and what became of it.
    struct LoggedQuery {
        let request: QueryRequest
        let indexes: String
        var refusal: RequestError?
        var rows = 0
        var entries = 0

        /// Why it was refused, in production's words.
        var reason: String? { refusal.map { "\($0.status.name) \($0.message.prefix { $0 != "\n" })" } }

        var line: String {
            "\(request.summary): " + (reason ?? "\(indexes) \(rows) rows \(entries) entries")
        }
    }

    extension QueryRequest {
        /// The query on one line, values cut: `cities where population > 5 order by name limit 3`.
        var summary: String {
            var words = [query.parent.map { "\($0)/" } ?? ""]
            words[0] += query.from.collectionID?.string ?? "*"
            if query.from.allDescendants { words[0] = "group \(words[0])" }
            if let filter = query.filter { words.append("where \(QueryText.text(of: filter).prefix(200))") }
            let orders = query.orders.map { "\($0.path)\($0.direction == .descending ? " desc" : "")" }
            if !orders.isEmpty { words.append("order by \(orders.joined(separator: ", "))") }
            if query.nearest != nil { words.append("nearest") }
            if query.offset > 0 { words.append("offset \(query.offset)") }
            if let limit = query.limit { words.append("limit\(query.limitToLast ? " to last" : "") \(limit)") }
            if case .aggregation(let aggregation) = self {
                words.append("aggregations \(aggregation.aggregations.count)")
            }
            return words.joined(separator: " ")
        }
    }
#endif
