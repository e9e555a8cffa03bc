// SPDX-License-Identifier: Apache-2.0

#if Server
    package import DocumentModel
    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    internal import Synchronization

    /// The server's clock: the system's, moved to another time. Commits, reads at a time and time to live go by it.
    package final class ServerClock: Sendable {
        /// Microseconds.
        private let offset = Atomic<Int64>(0)

        /// - Parameter start: the time at which the clock begins; nil for the system's time.
        package init(startingAt start: Timestamp? = nil) {
            if let start { set(start) }
        }

        package var now: Timestamp {
            Timestamp(microseconds: ServerClock.system + offset.load(ordering: .relaxed)) ?? .maximum
        }

        /// Makes it this time. The clock goes on from there.
        package func set(_ time: Timestamp) {
            offset.store(time.microseconds - ServerClock.system, ordering: .relaxed)
        }

        private static var system: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }
    }
#endif
