// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentModel
    internal import FirestoreProtocol

    /// Sees what becomes of each request: the log's lines and the feed come from it.
    struct RequestObserver: Sendable {
        /// Nil if nothing is logged.
        let log: RequestLog?
        /// Nil for what the console itself sends.
        var feed: RequestFeed?
        let clock: ServerClock

        /// Whether anybody wants to know. Otherwise a request does not have to be observed.
        var isWatching: Bool { log != nil || feed?.isWatched == true }

        /// Runs a request that ends with a status.
        ///
        /// - Parameter method: `Commit`, `POST /v1/…:commit`.
        func observe(_ method: String, _ body: () async -> StatusCode) async {
            let record = RequestRecord()
            let start = ContinuousClock.now
            let time = clock.now
            let status = await RequestRecord.$current.withValue(record) { await body() }
            let duration = ContinuousClock.now - start
            log?.write(method, status, duration, record.done)
            if let feed, feed.isWatched { feed.add(method, at: time, duration, status, record) }
        }

        /// Runs a stream, if anybody wants to know, as a request of its own.
        func observe(stream method: String, _ body: () async throws -> Void) async throws {
            guard isWatching else { return try await body() }
            var failure: (any Error)?
            await observe(method) {
                do {
                    try await body()
                    return .ok
                } catch {
                    failure = error
                    return (error as? RequestError)?.status ?? (error is CancellationError ? .cancelled : .unknown)
                }
            }
            if let failure { throw failure }
        }
    }
#endif
