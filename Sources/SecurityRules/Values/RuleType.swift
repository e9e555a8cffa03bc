// SPDX-License-Identifier: Apache-2.0

/// The types of values, by the names that `is` and the messages use.
enum RuleType: String, Sendable, CaseIterable {
    // In the order in which the compiler lists them.
    case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map, string, timestamp, path
    case mapDiff = "map_diff"
    /// Not a word of the language: `null is T` is false for all T.
    case null

    static let named = RuleType.allCases.filter { $0 != .null }
}
