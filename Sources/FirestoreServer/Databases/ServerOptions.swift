// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel

    /// How a server runs.
    package struct ServerOptions: Sendable {
        package var host = "localhost"
        /// 0 for a free port.
        package var port = 8080
        /// The folder of the databases' files; nil to keep them in memory and lose them at the end.
        package var folder: String?
        package var mode = IndexMode.strict
        /// The project that console links name; nil for each request's own.
        package var linkedProject: Text?
        /// Origins of web pages that may send requests, besides those on this machine; `*` for all.
        package var allowedOrigins: Set<String> = []
        package var limits = ConnectionLimits()
        /// Called with what a person at the terminal should know.
        package var log: @Sendable (ServerEvent) -> Void = { _ in }

        package init() {}
    }

    /// Something that happened in the server.
    package enum ServerEvent: Sendable {
        /// A call or an HTTP request ended.
        case request(method: String, database: DatabaseID?, status: StatusCode, duration: Duration)
        /// A query ran, or was refused.
        case query(QueryEvent)
        /// A failure that no client is to blame for.
        case failure(String)
    }

    /// A query, and what it cost.
    package struct QueryEvent: Sendable {
        package let database: DatabaseID
        package let text: String
        package let status: StatusCode
        package let documentsRead: Int
        package let entriesScanned: Int
        package let wasScanned: Bool
    }
#endif
