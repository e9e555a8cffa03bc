// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Turns documents of one collection group into index entries: those of automatic indexes (I-1 to I-14) and those of composite
/// indexes (I-15 to I-24).
///
/// Only the writer uses it, inside a write transaction; it is thrown away when that fails or the catalog changes.
final class GroupIndexer {
    private let group: Text
    private let catalog: IndexCatalog
    private var root: FieldNode
    private var nodes = 0
    let composites: [StoredComposite]
    private var encoder = KeyEncoder()

    /// Maps with user IDs as keys make fields without bound; what is known of them is dropped beyond this many.
    private static let capacity = 50_000

    init(_ group: Text, _ catalog: CatalogSnapshot) {
        self.group = group
        self.catalog = catalog.indexes
        root = FieldNode(rootOf: group)
        composites = catalog.composites.filter {
            $0.definition.collectionGroup == group && !$0.definition.fields.isEmpty
        }
    }

    /// An automatic index that has no number yet, because it never had an entry.
    struct Unnumbered {
        let index: FieldIndexKey
        fileprivate let node: FieldNode
        fileprivate let slot: Int

        func setNumber(_ number: UInt64) {
            node.slots[slot].number = OrderedInteger.bytes(number)
        }
    }

    /// Appends the entries of automatic indexes of these fields.
    ///
    /// - Returns: the indexes without a number, whose entries are not among them. Number them and append again.
    func appendFieldEntries(_ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer) -> [Unnumbered] {
        if nodes > GroupIndexer.capacity {
            root = FieldNode(rootOf: group)
            nodes = 0
        }
        var unnumbered: [Unnumbered] = []
        append(fields, under: root, key, to: &buffer, &unnumbered)
        return unnumbered
    }

    /// As ``appendFieldEntries(_:_:to:)``, giving numbers where they are missing.
    @_lifetime(cursors: copy cursors)
    func appendFieldEntries(
        _ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer, _ numbers: inout NumberGiver,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        let mark = buffer.mark
        let unnumbered = appendFieldEntries(fields, key, to: &buffer)
        guard !unnumbered.isEmpty else { return }
        for missing in unnumbered { missing.setNumber(try numbers.fieldIndex(missing.index, &cursors)) }
        buffer.truncate(to: mark)
        _ = appendFieldEntries(fields, key, to: &buffer)
    }

    private func append(
        _ fields: Fields, under node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ unnumbered: inout [Unnumbered]
    ) {
        var hint = 0
        for field in fields.storage {
            let child = node.child(field.name, hint: &hint, catalog, nodes: &nodes)
            append(field.value, child, key, to: &buffer, &unnumbered)
        }
    }

    private func append(
        _ value: Value, _ node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ unnumbered: inout [Unnumbered]
    ) {
        for index in node.slots.indices {
            let slot = node.slots[index]
            switch (slot.isContains, value) {
            case (true, .array(let elements)) where !elements.isEmpty:
                guard let number = slot.number else {
                    unnumbered.append(self.unnumbered(node, index))
                    continue
                }
                for element in elements { append(element, number, slot, key, to: &buffer) }
            case (true, _): continue
            case (false, _):
                guard let number = slot.number else {
                    unnumbered.append(self.unnumbered(node, index))
                    continue
                }
                append(value, number, slot, key, to: &buffer)
            }
        }
        guard case .map(let fields) = value else { return }
        append(fields, under: node, key, to: &buffer, &unnumbered)
    }

    private func unnumbered(_ node: FieldNode, _ index: Int) -> Unnumbered {
        let slot = node.slots[index]
        let key = FieldIndexKey(
            collectionGroup: group, path: FieldPath(node.path), scope: slot.scope, isContains: slot.isContains)
        return Unnumbered(index: key, node: node, slot: index)
    }

    private func append(
        _ element: Value, _ number: [UInt8], _ slot: FieldNode.Slot, _ key: DocumentKey, to buffer: inout EntryBuffer
    ) {
        encoder.removeAll()
        encoder.append(encoded: number)
        var value: [UInt8] = []
        if slot.scope == .collection {
            encoder.append(encoded: key.collectionBytes)
        } else {
            value = key.collectionBytes
        }
        encoder.append(element)
        appendName(key, slot.scope, .ascending)
        if !slot.isContains, case .double = element { EntryValue.appendKinds([element], to: &value) }
        buffer.append(key: encoder.bytes, value: value)
    }

    /// Appends the entries of composite indexes; none where a field is missing (I-20).
    func appendCompositeEntries(
        _ fields: Fields, _ key: DocumentKey, _ composite: StoredComposite, to buffer: inout EntryBuffer
    ) {
        let definition = composite.definition
        var values: [Value] = []
        for field in definition.fields {
            guard let value = fields[field.path] else { return }
            values.append(value)
        }
        let contains = definition.fields.firstIndex { $0.mode == .contains }
        guard let contains else { return append(values, key, composite, to: &buffer) }
        guard case .array(let elements) = values[contains] else { return }
        for element in elements {
            values[contains] = element
            append(values, key, composite, to: &buffer)
        }
    }

    /// A group-scope index keeps entries for both scopes, so that a query on one collection scans no other (I-23).
    private func append(
        _ values: [Value], _ key: DocumentKey, _ composite: StoredComposite, to buffer: inout EntryBuffer
    ) {
        let scopes: [QueryScope] =
            composite.definition.scope == .collection ? [.collection] : [.collection, .collectionGroup]
        for scope in scopes {
            encoder.removeAll()
            encoder.append(encoded: composite.prefix(scope))
            var entryValue: [UInt8] = []
            if scope == .collection {
                encoder.append(encoded: key.collectionBytes)
            } else {
                entryValue = key.collectionBytes
            }
            var kinds: [Value?] = []
            for (field, value) in zip(composite.definition.fields, values) {
                switch field.mode {
                case .order(let direction):
                    encoder.append(value, descending: direction == .descending)
                    kinds.append(value)
                case .contains:
                    encoder.append(value)
                    kinds.append(nil)
                case .vector(let dimension):
                    guard case .vector(let vector) = value, vector.count == dimension else { return }
                    EntryValue.appendVector(vector, to: &entryValue)
                }
            }
            appendName(key, scope, composite.definition.nameDirection)
            if !composite.isVector { EntryValue.appendKinds(kinds, to: &entryValue) }
            buffer.append(key: encoder.bytes, value: entryValue)
        }
    }

    private func appendName(_ key: DocumentKey, _ scope: QueryScope, _ direction: Direction) {
        let name = scope == .collection ? key.id : key.encodedPath()[...]
        encoder.append(encoded: direction == .ascending ? name : name.map { ~$0 }[...])
    }
}
