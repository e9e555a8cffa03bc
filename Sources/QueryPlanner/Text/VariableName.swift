// SPDX-License-Identifier: Apache-2.0

/// Names of variables at the head of a query that was pasted from a program.
package enum VariableName {
    private static let names: Set<String> = ["q", "query", "ref", "this", "self"]
    private static let endings = ["Query", "Ref", "Reference", "Collection", "_query", "_ref", "_collection"]

    /// Whether a name is that of a variable rather than of a collection: `circlesQuery`, `q`.
    package static func isLikely(_ name: String) -> Bool {
        names.contains(name) || name.utf8.first == UInt8(ascii: "$")
            || endings.contains { name.utf8.count > $0.utf8.count && name.hasSuffix($0) }
    }
}
