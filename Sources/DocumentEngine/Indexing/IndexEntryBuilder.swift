// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Makes the index entries of documents of one collection group: those of automatic indexes (I-1 to I-14) and those of
/// composite indexes (I-15 to I-24).
///
/// It remembers field nodes, so one thread uses it at a time. Discard it if the catalog changes, or if a transaction fails
/// that has given IDs to its indexes.
final class IndexEntryBuilder {
    private let group: Text
    private let catalog: IndexCatalog
    @exclusivity(unchecked) private var root: FieldNode
    @exclusivity(unchecked) private var nodes = 0
    /// The field values of the current entry, one for each field of its index.
    @exclusivity(unchecked) private var values: [Value] = []
    /// The group's composite indexes by their first fields.
    let composites: [CompositeRun]

    /// The maximum number of cached field nodes. Maps with user IDs as keys create fields without bound.
    private static let capacity = 50_000

    /// - Parameter state: whether to make entries of the ready or of the building indexes.
    init(_ group: Text, _ catalog: CatalogSnapshot, of state: IndexState = .ready) {
        self.group = group
        self.catalog = catalog.indexes
        root = FieldNode(rootOf: group, of: state)
        composites = CompositeRun.runs(of: catalog.composites(of: group).filter { $0.state == state })
    }

    /// An automatic index that has no ID yet because it never had an entry.
    struct UnassignedIndex {
        let index: FieldIndexKey
        fileprivate let node: FieldNode
        fileprivate let slot: Int

        func setID(_ indexID: UInt64) {
            node.slots[slot].indexID = OrderedInteger.bytes(indexID)
        }
    }

    /// Call it before a document's entries are made. Between the two attempts that a document may take it would forget the IDs that
    /// the second one needs.
    func forgetManyNodes() {
        guard nodes > IndexEntryBuilder.capacity else { return }
        root = FieldNode(rootOf: group, of: root.state)
        nodes = 0
    }

    /// Appends the entries of automatic indexes for these fields.
    ///
    /// - Returns: the indexes without an ID, whose entries were left out. Allocate their IDs and append again.
    func appendFieldEntries(_ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer) -> [UnassignedIndex] {
        var unassigned: [UnassignedIndex] = []
        append(fields, under: root, key, to: &buffer, &unassigned)
        return unassigned
    }

    /// Appends the entries of automatic indexes for these fields, and allocates missing IDs.
    func appendFieldEntries(
        _ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer, _ allocator: inout IDAllocator,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        forgetManyNodes()
        let mark = buffer.mark
        let unassigned = appendFieldEntries(fields, key, to: &buffer)
        guard !unassigned.isEmpty else { return }
        for missing in unassigned { missing.setID(try allocator.indexID(of: missing.index, &transaction)) }
        buffer.truncate(to: mark)
        _ = appendFieldEntries(fields, key, to: &buffer)
    }

    private func append(
        _ fields: Fields, under node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ unassigned: inout [UnassignedIndex]
    ) {
        var hint = 0
        let storage = fields.storage.span
        for index in storage.indices {
            let child = node.child(storage[index].name, hint: &hint) ?? add(storage[index].name, to: node)
            append(storage[index].value, child, key, to: &buffer, &unassigned)
        }
    }

    private func add(_ name: Text, to node: FieldNode) -> FieldNode {
        nodes += 1
        return node.add(name, catalog)
    }

    private func append(
        _ value: Value, _ node: FieldNode, _ key: DocumentKey, to buffer: inout EntryBuffer,
        _ unassigned: inout [UnassignedIndex]
    ) {
        let all = node.slots
        let slots = all.span
        for index in slots.indices {
            if slots[index].isContains {
                guard case .array(let elements) = value, !elements.isEmpty else { continue }
                guard !slots[index].indexID.isEmpty else {
                    unassigned.append(self.unassigned(node, index))
                    continue
                }
                for element in elements { append(element, slots[index], key, to: &buffer) }
            } else if slots[index].indexID.isEmpty {
                unassigned.append(self.unassigned(node, index))
            } else {
                append(value, slots[index], key, to: &buffer)
            }
        }
        guard case .map(let fields) = value else { return }
        append(fields, under: node, key, to: &buffer, &unassigned)
    }

    private func unassigned(_ node: FieldNode, _ index: Int) -> UnassignedIndex {
        let slot = node.slots[index]
        let key = FieldIndexKey(
            collectionGroup: group, path: FieldPath(node.path), scope: slot.scope, isContains: slot.isContains)
        return UnassignedIndex(index: key, node: node, slot: index)
    }

    private func append(_ element: Value, _ slot: FieldNode.Slot, _ key: DocumentKey, to buffer: inout EntryBuffer) {
        if slot.scope == .collection {
            buffer.beginEntry(slot.indexID.span.bytes, key.encodedCollectionID, element, key.id)
            buffer.endKey()
        } else {
            buffer.beginEntry(slot.indexID.span.bytes, RawSpan(), element, key.encodedPath().span.bytes)
            buffer.endKey()
            buffer.encoder.append(copying: key.encodedCollectionID)
        }
        // A single field has one bit, which is set for doubles and otherwise left out.
        if !slot.isContains, case .double = element { buffer.encoder.append(byte: 1) }
        buffer.endEntry()
    }

    /// Appends the entries of all composite indexes.
    func appendCompositeEntries(_ fields: Fields, _ key: DocumentKey, to buffer: inout EntryBuffer) {
        for run in composites where fields[run.first] != nil {
            for composite in run.indexes { appendCompositeEntries(fields, key, composite, to: &buffer) }
        }
    }

    /// Appends the entries of a composite index; none if the document lacks one of its fields (I-20).
    func appendCompositeEntries(
        _ fields: Fields, _ key: DocumentKey, _ composite: StoredComposite, to buffer: inout EntryBuffer
    ) {
        values.removeAll(keepingCapacity: true)
        let indexed = composite.definition.fields.span
        for index in indexed.indices {
            guard let value = fields[indexed[index].path] else { return }
            values.append(value)
        }
        appendEntriesOfValues(key, composite, to: &buffer)
    }

    /// Appends the entries of all composite indexes. Decodes only their fields.
    func appendCompositeEntries(
        _ document: borrowing StoredDocument, _ key: DocumentKey, to buffer: inout EntryBuffer
    ) throws(StoredFormatError) {
        for run in composites where try document.value(at: run.first) != nil {
            for composite in run.indexes { try appendCompositeEntries(document, key, composite, to: &buffer) }
        }
    }

    private func appendCompositeEntries(
        _ document: borrowing StoredDocument, _ key: DocumentKey, _ composite: StoredComposite,
        to buffer: inout EntryBuffer
    ) throws(StoredFormatError) {
        values.removeAll(keepingCapacity: true)
        for field in composite.definition.fields {
            guard let value = try document.value(at: field.path) else { return }
            values.append(value)
        }
        appendEntriesOfValues(key, composite, to: &buffer)
    }

    private func appendEntriesOfValues(_ key: DocumentKey, _ composite: StoredComposite, to buffer: inout EntryBuffer) {
        let fields = composite.definition.fields.span
        var contains: Int?
        for index in fields.indices {
            switch fields[index].mode {
            case .order: break
            case .contains: contains = index
            case .vector(let dimension):
                guard case .vector(let vector) = values[index], vector.count == dimension else { return }
            }
        }
        guard let contains else { return append(key, composite, to: &buffer) }
        guard case .array(let elements) = values[contains] else { return }
        for element in elements {
            values[contains] = element
            append(key, composite, to: &buffer)
        }
    }

    /// An index in group scope has entries for both scopes, so that a query on one collection scans no other (I-23).
    private func append(_ key: DocumentKey, _ composite: StoredComposite, to buffer: inout EntryBuffer) {
        append(key, composite, .collection, to: &buffer)
        if composite.definition.scope == .collectionGroup { append(key, composite, .collectionGroup, to: &buffer) }
    }

    /// Appends the entry with the current ``values``.
    private func append(
        _ key: DocumentKey, _ composite: StoredComposite, _ scope: QueryScope, to buffer: inout EntryBuffer
    ) {
        let fields = composite.definition.fields.span
        buffer.beginEntry()
        buffer.encoder.append(encoded: composite.prefix(scope))
        if scope == .collection { buffer.encoder.append(copying: key.encodedCollectionID) }
        for index in fields.indices {
            switch fields[index].mode {
            case .order(let direction): buffer.encoder.append(values[index], descending: direction == .descending)
            case .contains: buffer.encoder.append(values[index])
            case .vector: break
            }
        }
        appendName(key, scope, composite.definition.nameDirection, to: &buffer)
        buffer.endKey()
        if scope == .collectionGroup { buffer.encoder.append(copying: key.encodedCollectionID) }
        if let value = entryValue(composite) { buffer.encoder.append(encoded: value) }
        buffer.endEntry()
    }

    /// The double bits or the vector, or nil if the value is empty.
    private func entryValue(_ composite: StoredComposite) -> [UInt8]? {
        guard values.contains(where: { $0.hasEntryValue }) else { return nil }
        let fields = composite.definition.fields
        var bytes: [UInt8] = []
        if case .vector(let vector)? = values.last, case .vector? = fields.last?.mode {
            EntryValue.appendVector(vector, to: &bytes)
        } else {
            EntryValue.appendKinds(zip(fields, values).map { $0.mode == .contains ? nil : $1 }, to: &bytes)
        }
        return bytes
    }

    private func appendName(
        _ key: DocumentKey, _ scope: QueryScope, _ direction: Direction, to buffer: inout EntryBuffer
    ) {
        if scope == .collection {
            buffer.encoder.append(copying: key.id, descending: direction == .descending)
        } else {
            buffer.encoder.append(copying: key.encodedPath().span.bytes, descending: direction == .descending)
        }
    }
}

extension Value {
    /// Whether a composite index has more of the value than its key.
    fileprivate var hasEntryValue: Bool {
        switch self {
        case .double, .vector: true
        default: false
        }
    }
}
