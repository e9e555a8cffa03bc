// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Removes definitions from the text of a `firestore.indexes.json`. It keeps everything outside of them: comments, order,
/// white space.
package enum ConfigurationPruner {
    /// The source without the entries that define these indexes and override these fields.
    ///
    /// - Throws: the reason why the source is not JSON with comments.
    package static func removing(
        _ indexes: Set<IndexDefinition>, _ overrides: Set<FieldOverride>, from source: [UInt8]
    ) throws(JSONSyntaxError) -> [UInt8] {
        guard !indexes.isEmpty || !overrides.isEmpty else { return source }
        let tree = ConfigurationTree(try JSONParser.parse(source, .withComments), lines: LineMap(source))
        let fields = Set(overrides.map(OverrideTarget.init))
        let entries = tree.indexes.filter { $0.definition.map(indexes.contains) == true }.map(\.node)
        let others = tree.fieldOverrides.filter { $0.fieldOverride.map { fields.contains(OverrideTarget($0)) } == true }
        let ranges = (entries + others.map(\.node)).map(\.range).sorted { $0.lowerBound < $1.lowerBound }
        return SourceEditor.edited(source, tree, by: ranges.map { .removeElement($0) }).source
    }
}
