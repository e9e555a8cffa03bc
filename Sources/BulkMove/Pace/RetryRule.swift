// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// When a write that failed is sent again, as the official bulk writers have it (nodejs-firestore, bulk-writer.ts).
package enum RetryRule {
    package static let attempts = 10
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
}
