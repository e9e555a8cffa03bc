// SPDX-License-Identifier: Apache-2.0

/// The types of values, by the names that `is` and the messages use.
enum RuleType: String, Sendable, CaseIterable {
    // In the order in which the compiler lists them.
    case bool, bytes, constraint, duration, float, int, latlng, list, vector, set, number, map, string, timestamp, path
    case mapDiff = "map_diff"
    /// Not a word of the language: `null is T` is false for all T.
    case null

    static let named = RuleType.allCases.filter { $0 != .null }

    /// The names that `is` knows.
    private static let byName = Dictionary(uniqueKeysWithValues: named.map { ($0.rawValue, $0) })

    init?(name: String) {
        guard let type = RuleType.byName[name] else { return nil }
        self = type
    }

    static func unsupported(_ name: String) -> String {
        let known = named.map(\.rawValue).joined(separator: ",")
        return
            "An unsupported type identifier was used with the 'is' operator. Received \(name). Expected one of \(known)"
    }
}
