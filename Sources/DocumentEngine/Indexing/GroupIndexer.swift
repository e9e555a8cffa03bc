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

    /// Appends the entries of automatic indexes of these fields.
    @_lifetime(cursors: copy cursors)
    func appendFieldEntries(
        _ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer, _ numbers: inout NumberGiver,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        if nodes > GroupIndexer.capacity {
            root = FieldNode(rootOf: group)
            nodes = 0
        }
        try append(fields, under: root, key, to: &buffer, &numbers, &cursors)
    }

    @_lifetime(cursors: copy cursors)
    private func append(
        _ fields: Fields, under node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ numbers: inout NumberGiver, _ cursors: inout CursorSet
    ) throws(EngineError) {
        var hint = 0
        for field in fields.storage {
            let child = node.child(field.name, hint: &hint, catalog, nodes: &nodes)
            try append(field.value, child, key, to: &buffer, &numbers, &cursors)
        }
    }

    @_lifetime(cursors: copy cursors)
    private func append(
        _ value: Value, _ node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ numbers: inout NumberGiver, _ cursors: inout CursorSet
    ) throws(EngineError) {
        for index in node.slots.indices {
            let elements: [Value]
            switch (node.slots[index].isContains, value) {
            case (false, _): elements = [value]
            case (true, .array(let content)): elements = content
            case (true, _): continue
            }
            guard !elements.isEmpty else { continue }
            let number = try number(of: node, index, &numbers, &cursors)
            append(elements, number, node.slots[index], key, to: &buffer)
        }
        guard case .map(let fields) = value else { return }
        try append(fields, under: node, key, to: &buffer, &numbers, &cursors)
    }

    @_lifetime(cursors: copy cursors)
    private func number(
        of node: FieldNode, _ index: Int, _ numbers: inout NumberGiver, _ cursors: inout CursorSet
    ) throws(EngineError) -> [UInt8] {
        if let known = node.slots[index].number { return known }
        let slot = node.slots[index]
        let name = FieldIndexKey(
            collectionGroup: group, path: FieldPath(node.path), scope: slot.scope, isContains: slot.isContains)
        let number = OrderedInteger.bytes(try numbers.fieldIndex(name, &cursors))
        node.slots[index].number = number
        return number
    }

    private func append(
        _ elements: [Value], _ number: [UInt8], _ slot: FieldNode.Slot, _ key: DocumentKey, to buffer: inout EntryBuffer
    ) {
        for element in elements {
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
            if !slot.isContains { EntryValue.appendKinds([element], to: &value) }
            buffer.append(key: encoder.bytes, value: value)
        }
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
