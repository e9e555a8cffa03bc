// SPDX-License-Identifier: Apache-2.0

#if Connected
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif

    /// The clock by which tokens expire.
    struct CredentialClock: Sendable {
        /// Seconds since 1970.
        let now: @Sendable () -> Int64

        static let system = CredentialClock { Int64(Date().timeIntervalSince1970) }

        /// What is wrong if the server's time is another, and a token may be refused for that; else nil.
        ///
        /// - Parameter date: as HTTP has it, `Wed, 25 Nov 2026 21:36:00 GMT`.
        func difference(fromServer date: String) -> String? {
            guard let time = CredentialClock.seconds(date) else { return nil }
            let difference = now() - time
            guard abs(difference) > 300 else { return nil }
            return
                "This machine's clock is \(abs(difference) / 60) minutes \(difference > 0 ? "ahead of" : "behind") the "
                + "server's. Tokens are refused for that: set the clock."
        }

        private static func seconds(_ date: String) -> Int64? {
            let words = date.split(separator: " ")
            guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]), let year = Int64(words[3]),
                let month = months.firstIndex(of: String(words[2])).map({ Int64($0 + 1) })
            else { return nil }
            let clock = words[4].split(separator: ":").compactMap { Int64($0) }
            guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year) else { return nil }
            // Days since 1970 of a year that begins in March, so that a leap day is its last.
            let (shifted, index) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
            let days =
                365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + (153 * index + 2) / 5 + day - 719_469
            return days * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
        }

        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
    }
#endif
