// SPDX-License-Identifier: Apache-2.0

#if Server
    /// What becomes of a query that production would refuse for want of an index.
    package enum IndexMode: String, Sendable, CaseIterable {
        /// It is refused, in production's words.
        case strict
        /// It is answered by a scan, and the index that it needs is noted.
        case record
        /// It is answered by a scan.
        case permissive
    }
#endif
