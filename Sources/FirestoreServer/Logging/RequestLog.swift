// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// What a server tells about its requests.
    package enum RequestLogging: String, Sendable, CaseIterable {
        /// A line a request: method, database, status, milliseconds, documents read.
        case requests
        /// A line a query: the query, the indexes that it used, rows and entries scanned.
        case queries
    }

    /// Writes a line for each request or query.
    struct RequestLog: Sendable {
        let kind: RequestLogging
        let line: @Sendable (String) -> Void

        /// - Parameter method: `Commit`, `POST /v1/…:commit`.
        func write(_ method: String, _ status: StatusCode, _ duration: Duration, _ done: RequestRecord.Done) {
            let time = RequestLog.milliseconds(duration)
            let database = done.database?.resourceName ?? "-"
            switch kind {
            case .requests: line("\(method) \(database) \(status.name) \(time) ms \(done.documentsRead) read")
            case .queries:
                for query in done.queries { line("\(database) \(query.line) \(time) ms") }
                let more = done.queryCount - done.queries.count
                if more > 0 { line("\(database) and \(more) more queries of the same request \(time) ms") }
            }
        }

        /// With one decimal.
        static func milliseconds(_ duration: Duration) -> String {
            let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
            return "\(tenths / 10).\(tenths % 10)"
        }
    }
#endif
