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

        private func explainedPage(
            _ query: Query, _ mode: ExplainMode, at snapshot: Snapshot
        ) throws(RequestError) -> QueryPage {
            let (explanation, result) = try snapshot.explain(.documents(query), mode)
            return QueryPage(
                records: result?.records ?? [], readTime: snapshot.time, transaction: snapshot.newTransaction,
                skippedResults: result?.counters.rowsSkipped ?? 0, explanation: explanation)
        }
    }
#endif
