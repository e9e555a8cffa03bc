// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Maintains the index entries of written documents. Collects what a commit removes and adds, then applies the
/// difference in key order, which is fastest in LMDB. Changes of indexes that are being built go to the build log.
struct IndexMaintainer: ~Copyable {
    private let catalog: CatalogSnapshot
    private let fields: LongKeyWriter
    private let composites: LongKeyWriter
    private var ready = EntryChanges()
    private(set) var entryBuilders: RecentDictionary<Text, IndexEntryBuilder>
    private let buildLog: IndexBuildLog?
    private var building = EntryChanges()
    private var buildingEntryBuilders: [Text: IndexEntryBuilder] = [:]

    /// - Parameter entryBuilders: the builders of earlier commits under the same catalog.
    init(
        _ catalog: CatalogSnapshot, entryBuilders: [Text: IndexEntryBuilder], _ transaction: inout Transaction
    ) throws(EngineError) {
        self.init(
            catalog, entryBuilders, try LongKeyWriter(.fieldEntries, &transaction),
            try LongKeyWriter(.compositeEntries, &transaction),
            catalog.isBuilding ? try IndexBuildLog(&transaction) : nil)
    }

    // What can throw comes before: an initializer that throws halfway assembles in a copy.
    private init(
        _ catalog: CatalogSnapshot, _ entryBuilders: [Text: IndexEntryBuilder], _ fields: LongKeyWriter,
        _ composites: LongKeyWriter, _ buildLog: IndexBuildLog?
    ) {
        self.catalog = catalog
        self.entryBuilders = RecentDictionary(entryBuilders)
        self.fields = fields
        self.composites = composites
        self.buildLog = buildLog
    }

    /// Bytes of memory that pending entries use.
    var pendingSize: Int { ready.size + building.size }

    /// Records that a document's fields changed from `old` to `new`. Nil means that it does not exist.
    mutating func note(
        _ path: DocumentPath, _ key: DocumentKey, from old: Fields?, to new: Fields?, _ allocator: inout IDAllocator,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        let group = path.collection.group
        let entryBuilder = entryBuilder(of: group)
        let change = FieldsChange(old, new)
        try ready.note(change, key, entryBuilder, &allocator, &transaction)
        guard buildLog != nil else { return }
        let other = buildingEntryBuilders[group] ?? IndexEntryBuilder(group, catalog, of: .building)
        buildingEntryBuilders[group] = other
        try building.note(change, key, other, &allocator, &transaction)
    }

    private mutating func entryBuilder(of group: Text) -> IndexEntryBuilder {
        if let known = entryBuilders[group] { return known }
        let entryBuilder = IndexEntryBuilder(group, catalog)
        entryBuilders[group] = entryBuilder
        return entryBuilder
    }

    /// Applies the recorded changes.
    mutating func flush(_ transaction: inout Transaction) throws(EngineError) {
        ready.sort()
        try EntryDifference.apply(
            removingSorted: ready.removedFields, addingSorted: ready.addedFields, fields, &transaction)
        try EntryDifference.apply(
            removingSorted: ready.removedComposites, addingSorted: ready.addedComposites, composites, &transaction)
        ready.removeAll()
        guard let buildLog else { return }
        building.sort()
        try buildLog.record(
            removingSorted: building.removedFields, addingSorted: building.addedFields, .fieldEntries, &transaction)
        try buildLog.record(
            removingSorted: building.removedComposites, addingSorted: building.addedComposites,
            .compositeEntries, &transaction)
        building.removeAll()
    }
}

/// The change that a write makes to a document's fields.
private struct FieldsChange {
    let old: Fields?
    let new: Fields?
    /// The old and the new values of top-level fields that differ.
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

    /// Whether the old or the new document has a field.
    func has(_ path: FieldPath) -> Bool { old?[path] != nil || new?[path] != nil }

    /// Whether entries of a composite index may change.
    func touches(_ composite: StoredComposite) -> Bool {
        if old == nil || new == nil { return true }
        return composite.definition.fields.contains { field in
            removed[field.path.segments[0]] != nil || added[field.path.segments[0]] != nil
        }
    }

    /// Compares fields that are sorted by name.
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
        _ change: FieldsChange, _ key: DocumentKey, _ entryBuilder: IndexEntryBuilder, _ allocator: inout IDAllocator,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        try entryBuilder.appendFieldEntries(change.removed, key, to: &removedFields, &allocator, &transaction)
        try entryBuilder.appendFieldEntries(change.added, key, to: &addedFields, &allocator, &transaction)
        for run in entryBuilder.composites where change.has(run.first) {
            // Read in place: copying an index would retain everything in it.
            let composites = run.indexes.span
            for index in composites.indices where change.touches(composites[index]) {
                if let old = change.old {
                    entryBuilder.appendCompositeEntries(old, key, composites[index], to: &removedComposites)
                }
                if let new = change.new {
                    entryBuilder.appendCompositeEntries(new, key, composites[index], to: &addedComposites)
                }
            }
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
