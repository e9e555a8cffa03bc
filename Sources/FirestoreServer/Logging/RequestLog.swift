// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import QueryPlanner

    /// What a server tells about its requests.
    package enum RequestLogging: String, Sendable, CaseIterable {
        /// A line a request: method, database, status, milliseconds, documents read.
        case requests
        /// A line a query: the query, the indexes that it used, rows and documents read.
        case queries
    }

    /// Writes a line for each request or query.
    struct RequestLog: Sendable {
        let kind: RequestLogging
        let write: @Sendable (String) -> Void

        /// Runs a request, and logs it with the status that it ends with.
        ///
        /// - Parameter method: `Commit`, `POST /v1/…:commit`.
        func observe(_ method: String, _ body: () async -> StatusCode) async {
            let record = RequestRecord()
            let start = ContinuousClock.now
            let status = await RequestRecord.$current.withValue(record) { await body() }
            let time = RequestLog.milliseconds(ContinuousClock.now - start)
            let done = record.done
            let database = done.database?.resourceName ?? "-"
            switch kind {
            case .requests: write("\(method) \(database) \(status.name) \(time) ms \(done.documentsRead) read")
            case .queries: for query in done.queries { write("\(database) \(query.line) \(time) ms") }
            }
        }

        /// With one decimal.
        static func milliseconds(_ duration: Duration) -> String {
            let tenths = duration.components.seconds * 10_000 + duration.components.attoseconds / 100_000_000_000_000
            return "\(tenths / 10).\(tenths % 10)"
        }
    }
#endif
