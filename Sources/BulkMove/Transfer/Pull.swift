// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import SyncCore

/// The documents of a server's database as they were at one time, page by page in the order of their names.
///
/// One query over all collections gives them: asking for the collections below each document would take as many requests as
/// there are documents.
package actor Pull<PullClock: Clock> where PullClock.Duration == Duration {
    private let server: any BulkServer
    private let clock: PullClock
    private let random: @Sendable () -> Double
    private var last: DocumentPath?
    private var isAtEnd = false
    /// The time of all pages.
    package nonisolated let time: Timestamp

    private static var page: Int { 2_000 }

    /// Asks the server for its time.
    package init(
        _ server: any BulkServer, clock: PullClock, random: @escaping @Sendable () -> Double
    ) async throws {
        self.server = server
        self.clock = clock
        self.random = random
        time = try await RetryRule.retrying(clock, random) { () throws(SyncError) in try await server.now() }
    }

    /// The next documents; nil after the last.
    ///
    /// - Throws: a ``SyncCore/SyncError`` that does not pass, or lasts for ten attempts.
    package func next() async throws -> [SyncDocument]? {
        guard !isAtEnd else { return nil }
        let (server, last, time) = (server, last, time)
        let page = try await RetryRule.retrying(clock, random) { () throws(SyncError) in
            try await server.documents(after: last, limit: Pull.page, at: time)
        }
        self.last = page.last?.path
        isAtEnd = page.count < Pull.page
        return page
    }
}
