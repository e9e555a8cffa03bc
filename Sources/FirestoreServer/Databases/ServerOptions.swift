// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel

    /// How a server runs.
    package struct ServerOptions: Sendable {
        package var host = "localhost"
        /// 0 for a free port.
        package var port = 8080
        /// The port of the requests' feed for the emulator's interface; nil for none, 0 for a free one.
        package var webSocketPort: Int?
        /// The folder of the databases' files; nil to keep them in memory and lose them at the end.
        package var folder: String?
        package var mode = IndexMode.strict
        /// The project that console links name; nil for each request's own.
        package var linkedProject: Text?
        /// Origins of web pages that may send requests, besides those on this machine; `*` for all.
        package var allowedOrigins: Set<String> = []
        package var limits = ConnectionLimits()
        package var clock = ServerClock()
        /// Whether a commit wakes only the Listen streams that it may concern. Off, it wakes all of them, with the same results.
        package var routesCommits = true
        /// Times since the server's start at which channels of web pages do what is due; nil for each second.
        package var ticks: AsyncStream<Duration>?
        /// What to log of requests; nil for nothing.
        package var logging: RequestLogging?
        /// Called with a failure that no client is told about, and with each line that ``logging`` asks for.
        package var log: @Sendable (String) -> Void = { _ in }

        package init() {}
    }
#endif
