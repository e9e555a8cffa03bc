// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import SyncCore

/// When a write that failed is sent again, as the official bulk writers have it (nodejs-firestore, bulk-writer.ts).
package enum RetryRule {
    package static let attempts = 10

    /// Is told of a failure before the request is made again, with how many attempts were made.
    package typealias Report = @Sendable (SyncError, _ attempts: Int) -> Void

    private static let first = 1.0
    private static let longest = 60.0
    private static let factor = 1.5
    private static let jitter = 0.3

    /// Whether the server may take the same write later. A set of a whole document can be repeated: what was applied and not
    /// answered is applied again with the same result.
    package static func mayPass(_ code: StatusCode) -> Bool {
        switch code {
        case .resourceExhausted, .unavailable, .aborted, .deadlineExceeded, .internal: true
        default: false
        }
    }

    /// Seconds before the next attempt. Exhausted resources need the longest time at once.
    ///
    /// - Parameters:
    ///   - attempts: made so far.
    ///   - random: from 0 to 1.
    package static func delay(after attempts: Int, _ code: StatusCode, random: Double) -> Double {
        var delay = code == .resourceExhausted ? longest : first
        for _ in 1..<max(1, attempts) where delay < longest { delay *= factor }
        return min(longest, delay) * (1 + (random * 2 - 1) * jitter)
    }

    /// Makes a request, and again while its failure may pass, up to ten times.
    ///
    /// - Throws: the last error, or that of a clock whose sleep is cancelled.
    static func retrying<Answer: Sendable, RetryClock: Clock>(
        _ clock: RetryClock, _ random: @Sendable () -> Double, _ report: Report,
        _ body: @Sendable () async throws(SyncError) -> Answer
    ) async throws -> Answer where RetryClock.Duration == Duration {
        var attempts = 0
        while true {
            do throws(SyncError) {
                return try await body()
            } catch {
                attempts += 1
                guard mayPass(error.code), attempts < RetryRule.attempts else { throw error }
                report(error, attempts)
                try await clock.sleep(for: .seconds(delay(after: attempts, error.code, random: random())))
            }
        }
    }
}
