// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Adds definitions to the text of a `firestore.indexes.json`. It keeps everything else: comments, order, white space.
package struct ConfigurationEditor {
    private let source: [UInt8]
    private let tree: ConfigurationTree
    private let known: IndexConfiguration
    private let layout: ConfigurationLayout
    /// What to insert, by the offset in the source.
    private var insertions: [(offset: Int, text: String)] = []
    /// The lists that the source lacks.
    private var newMembers: [(key: String, node: JSONNode)] = []

    /// The source with what it lacks of `additions`. Nothing is removed, and nothing is written twice: an override of a
    /// field that the source already overrides gains only the indexes that it lacks there.
    ///
    /// - Throws: the reason why the source is not JSON with comments.
    package static func adding(
        _ additions: IndexConfiguration, to source: [UInt8]
    ) throws(JSONSyntaxError) -> [UInt8] {
        var editor = try ConfigurationEditor(source)
        editor.addIndexes(additions.indexes)
        editor.addOverrides(additions.fieldOverrides)
        editor.addMembers()
        return editor.result
    }

    private init(_ source: [UInt8]) throws(JSONSyntaxError) {
        self.source = source
        let root = try JSONParser.parse(source, .withComments)
        guard root.members != nil else {
            throw JSONSyntaxError(message: "an index file is an object, not \(root.kind)", offset: root.offset)
        }
        tree = ConfigurationTree(root, lines: LineMap(source))
        known = ConfigurationReader.read(source).configuration
        layout = ConfigurationLayout(source, root)
    }

    private mutating func addIndexes(_ definitions: [IndexDefinition]) {
        var seen = Set(known.indexes)
        let missing = definitions.filter { seen.insert($0).inserted }.sorted(by: CanonicalOrder.precedes)
        append(missing.map { ConfigurationWriter.node($0) }, toMember: "indexes")
    }

    private mutating func addOverrides(_ overrides: [FieldOverride]) {
        var new: [JSONNode] = []
        for override in overrides.sorted(by: CanonicalOrder.precedes) {
            // The last override of a field wins, so the others are no place for additions.
            let entry = tree.fieldOverrides.last {
                guard let known = $0.fieldOverride else { return false }
                return known.collectionGroup == override.collectionGroup && known.path == override.path
            }
            guard let known = entry?.fieldOverride, let array = entry?.indexesNode else {
                new.append(ConfigurationWriter.node(override))
                continue
            }
            let missing = override.indexes.subtracting(known.indexes).sorted(by: CanonicalOrder.precedes)
            append(missing.map { ConfigurationWriter.node($0) }, to: array)
        }
        append(new, toMember: "fieldOverrides")
    }

    private mutating func append(_ elements: [JSONNode], toMember key: String) {
        guard !elements.isEmpty else { return }
        if let array = tree.root[key], array.elements != nil { return append(elements, to: array) }
        newMembers.append((key, .array(elements)))
    }

    private mutating func addMembers() {
        guard !newMembers.isEmpty else { return }
        let place = layout.place(in: tree.root, after: tree.root.members?.last?.node)
        let texts = newMembers.map { key, node in
            "\(place.separator)\(JSONNode.string(key).text()): \(layout.text(node, place))"
        }
        insert(texts.joined(separator: ","), at: place)
    }

    private mutating func append(_ elements: [JSONNode], to array: JSONNode) {
        guard !elements.isEmpty else { return }
        let place = layout.place(in: array, after: array.elements?.last)
        let texts = elements.map { place.separator + layout.text($0, place) }
        insert(texts.joined(separator: ","), at: place)
    }

    private mutating func insert(_ text: String, at place: ConfigurationLayout.Place) {
        if let comma = place.comma { insertions.append((comma, ",")) }
        insertions.append((place.offset, text + place.closing))
    }

    private var result: [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        // Insertions at one offset stay in the order in which they were made.
        let ordered = insertions.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        for (_, insertion) in ordered {
            result += source[copied..<insertion.offset]
            result += insertion.text.utf8
            copied = insertion.offset
        }
        return result + source[copied...]
    }
}
