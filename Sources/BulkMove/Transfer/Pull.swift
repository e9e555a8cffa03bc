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
    private let reportRetry: RetryRule.Report
    private var last: DocumentPath?
    private var isAtEnd = false
    /// How many documents are asked for next: fewer after a page that took too long, as large documents do on a slow line.
    private var limit = Pull.page
    /// The time of all pages.
    package nonisolated let time: Timestamp
    /// Whether ``time`` is that of the earlier pull.
    package nonisolated let goesOn: Bool

    private static var page: Int { 2_000 }
    /// A page that came sooner may be followed by one of twice as many documents: that one comes in time as well.
    private static var quick: Duration { .seconds(60) }

    /// Asks the server for its time, or whether it still has the state of an earlier pull.
    ///
    /// - Parameters:
    ///   - former: the time of the pull that is to go on.
    ///   - isWholeMinute: whether a new pull is as of the last whole minute: behind an hour, a server with point-in-time recovery
    ///     has the states of whole minutes alone.
    ///   - reportRetry: told of each request that is made again.
    package init(
        _ server: any BulkServer, at former: Timestamp? = nil, ofWholeMinute isWholeMinute: Bool = false,
        clock: PullClock, random: @escaping @Sendable () -> Double,
        reportRetry: @escaping RetryRule.Report = { _, _ in }
    ) async throws {
        self.server = server
        self.clock = clock
        self.random = random
        self.reportRetry = reportRetry
        if let former, try await Pull.has(former, server, clock, random, reportRetry) {
            (time, goesOn) = (former, true)
        } else {
            let now = try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
                try await server.now()
            }
            time = isWholeMinute ? now.wholeMinute : now
            goesOn = false
        }
    }

    private static func has(
        _ time: Timestamp, _ server: any BulkServer, _ clock: PullClock, _ random: @escaping @Sendable () -> Double,
        _ reportRetry: RetryRule.Report
    ) async throws -> Bool {
        do {
            _ = try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
                try await server.documents(after: nil, limit: 1, at: time)
            }
            return true
        } catch let error as SyncError {
            switch error.code {
            case .invalidArgument, .failedPrecondition, .outOfRange: return false
            default: throw error
            }
        }
    }

    /// Leaves out all documents up to and with this name.
    package func skip(to path: DocumentPath) { last = path }

    /// The next documents; nil after the last.
    ///
    /// - Throws: a ``SyncCore/SyncError`` that does not pass, or lasts for ten attempts.
    package func next() async throws -> [SyncDocument]? {
        guard !isAtEnd else { return nil }
        while true {
            let (limit, start) = (limit, clock.now)
            guard let page = try await page(limit) else {
                self.limit = limit / 2
                continue
            }
            if start.duration(to: clock.now) < Pull.quick { self.limit = min(2 * limit, Pull.page) }
            last = page.last?.path ?? last
            isAtEnd = page.count < limit
            return page
        }
    }

    /// - Returns: nil if a smaller page may come in time, and this one did not.
    private func page(_ limit: Int) async throws -> [SyncDocument]? {
        let (server, last, time, reportRetry) = (server, last, time, reportRetry)
        return try await RetryRule.retrying(clock, random, reportRetry) { () throws(SyncError) in
            do throws(SyncError) {
                return try await server.documents(after: last, limit: limit, at: time)
            } catch {
                guard error.code == .deadlineExceeded, limit > 1 else { throw error }
                reportRetry(SyncError(error.code, "\(error.message) Fewer documents are asked for."), 1)
                return nil
            }
        }
    }
}

extension Timestamp {
    /// The last one that is not later; of times after 1970.
    fileprivate var wholeMinute: Timestamp {
        Timestamp(microseconds: microseconds - microseconds % 60_000_000) ?? self
    }
}
