// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// A part of a query's answer. The first has what comes once, but an explanation of what the query took, which is the last.
    struct QueryPage: Sendable {
        var isFirst = true
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
            if skippedResults > 0 || isFirst && records.isEmpty && !isPlan {
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
            if explain == .plan {
                let plan = try snapshot.plan(.documents(query))
                return try await send(
                    QueryPage(readTime: snapshot.time, transaction: snapshot.newTransaction, explanation: plan))
            }
            var (pages, run) = (QueryPages(query), MeasuredRun())
            var isFirst = true
            while let page = try run.measure({ () throws(RequestError) in try pages.next(at: snapshot) }) {
                // The page before was full, and the last.
                if !isFirst, page.records.isEmpty { break }
                var answer = QueryPage(
                    isFirst: isFirst, records: page.records, projection: pages.projection, readTime: snapshot.time)
                if isFirst {
                    answer.transaction = snapshot.newTransaction
                    answer.skippedResults = page.counters.rowsSkipped
                }
                isFirst = false
                try await send(answer)
            }
            guard explain == .analyze else { return }
            let explanation = try snapshot.explanation(of: .documents(query), run)
            try await send(QueryPage(isFirst: false, readTime: snapshot.time, explanation: explanation))
        }
    }
#endif
