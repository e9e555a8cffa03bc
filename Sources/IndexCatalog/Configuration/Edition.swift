// SPDX-License-Identifier: Apache-2.0

/// The kind of database that an index file is for.
package enum Edition: String, Sendable, CaseIterable {
    /// Every field has automatic indexes, and queries without an index are refused.
    case standard
    /// Nothing is indexed unless the file says so, `__name__` is not implied, and queries may scan (I-7, I-56 to I-59).
    case enterprise
    /// Enterprise, used through the MongoDB interface.
    case mongodb

    package static let all = Set(Edition.allCases)
}
