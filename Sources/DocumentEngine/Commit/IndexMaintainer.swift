// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Keeps the index entries of written documents: gathers what a commit removes and adds, then applies the difference in key
/// order, which LMDB takes fastest. Entries of indexes that are being built go to the side log.
struct IndexMaintainer {
    private let catalog: CatalogSnapshot
    private let fields: KeyedWriter
    private let composites: KeyedWriter
    private var ready = EntryChanges()
    private(set) var indexers: RecentDictionary<Text, GroupIndexer>
    private let sideLog: SideLog?
    private var building = EntryChanges()
    private var buildingIndexers: [Text: GroupIndexer] = [:]

    /// - Parameter indexers: those of earlier commits under the same catalog.
    init(
        _ catalog: CatalogSnapshot, indexers: [Text: GroupIndexer], _ transaction: inout Transaction
    ) throws(EngineError) {
        self.catalog = catalog
        self.indexers = RecentDictionary(indexers)
        fields = try KeyedWriter(.fieldEntries, &transaction)
        composites = try KeyedWriter(.compositeEntries, &transaction)
        sideLog = catalog.isBuilding ? try SideLog(&transaction) : nil
    }

    /// Bytes of memory that waiting entries take.
    var pendingSize: Int { ready.size + building.size }

    /// Notes that a document's fields changed from `old` to `new`; nil where it does not exist.
    mutating func note(
        _ path: DocumentPath, _ key: DocumentKey, from old: Fields?, to new: Fields?, _ numbers: inout NumberGiver,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let group = path.collection.group
        let indexer = indexer(of: group)
        let change = FieldsChange(old, new)
        try ready.note(change, key, indexer, &numbers, &transaction)
        guard sideLog != nil else { return }
        let other = buildingIndexers[group] ?? GroupIndexer(group, catalog, of: .building)
        buildingIndexers[group] = other
        try building.note(change, key, other, &numbers, &transaction)
    }

    private mutating func indexer(of group: Text) -> GroupIndexer {
        if let known = indexers[group] { return known }
        let indexer = GroupIndexer(group, catalog)
        indexers[group] = indexer
        return indexer
    }

    /// Applies what was noted.
    mutating func flush(_ transaction: inout Transaction) throws(EngineError) {
        ready.sort()
        try EntryDifference.apply(
            removingSorted: ready.removedFields, addingSorted: ready.addedFields, fields, &transaction)
        try EntryDifference.apply(
            removingSorted: ready.removedComposites, addingSorted: ready.addedComposites, composites, &transaction)
        ready.removeAll()
        guard let sideLog else { return }
        building.sort()
        try sideLog.note(
            removingSorted: building.removedFields, addingSorted: building.addedFields, .fieldEntries, &transaction)
        try sideLog.note(
            removingSorted: building.removedComposites, addingSorted: building.addedComposites,
            .compositeEntries, &transaction)
        building.removeAll()
    }
}

/// What a write does to a document's fields.
private struct FieldsChange {
    let old: Fields?
    let new: Fields?
    /// The top-level fields that differ, as they were and as they are.
    let removed: Fields
    let added: Fields

    init(_ old: Fields?, _ new: Fields?) {
        self.old = old
        self.new = new
        guard let old, let new else {
            removed = old ?? .empty
            added = new ?? .empty
            return
        }
        (removed, added) = FieldsChange.difference(old.storage, new.storage)
    }

    /// Whether entries of an index may change.
    func touches(_ composite: StoredComposite) -> Bool {
        if old == nil || new == nil { return true }
        return composite.definition.fields.contains { field in
            removed[field.path.segments[0]] != nil || added[field.path.segments[0]] != nil
        }
    }

    /// Both are sorted by name.
    private static func difference(_ old: [Field], _ new: [Field]) -> (removed: Fields, added: Fields) {
        var (removed, added): ([Field], [Field]) = ([], [])
        var (left, right) = (0, 0)
        while left < old.count, right < new.count {
            let order = Text.compare(old[left].name, new[right].name)
            let isSame = order == 0 && old[left].value.isIdentical(to: new[right].value)
            if order <= 0 {
                if !isSame { removed.append(old[left]) }
                left += 1
            }
            if order >= 0 {
                if !isSame { added.append(new[right]) }
                right += 1
            }
        }
        return (Fields(sorted: removed + old[left...]), Fields(sorted: added + new[right...]))
    }
}

/// The entries that writes remove and add.
private struct EntryChanges {
    private(set) var removedFields = EntryBuffer()
    private(set) var addedFields = EntryBuffer()
    private(set) var removedComposites = EntryBuffer()
    private(set) var addedComposites = EntryBuffer()

    var size: Int { removedFields.size + addedFields.size + removedComposites.size + addedComposites.size }

    mutating func note(
        _ change: FieldsChange, _ key: DocumentKey, _ indexer: GroupIndexer, _ numbers: inout NumberGiver,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        try indexer.appendFieldEntries(change.removed, key, to: &removedFields, &numbers, &transaction)
        try indexer.appendFieldEntries(change.added, key, to: &addedFields, &numbers, &transaction)
        for composite in indexer.composites {
            guard change.touches(composite) else { continue }
            if let old = change.old { indexer.appendCompositeEntries(old, key, composite, to: &removedComposites) }
            if let new = change.new { indexer.appendCompositeEntries(new, key, composite, to: &addedComposites) }
        }
    }

    mutating func sort() {
        removedFields.sort()
        addedFields.sort()
        removedComposites.sort()
        addedComposites.sort()
    }

    mutating func removeAll() {
        removedFields.removeAll()
        addedFields.removeAll()
        removedComposites.removeAll()
        addedComposites.removeAll()
    }
}
