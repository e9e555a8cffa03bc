// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Keeps the index entries of written documents: gathers what a commit removes and adds, then applies the difference in key
/// order, which LMDB takes fastest.
struct IndexMaintainer {
    /// The entries of one store.
    private struct Changes {
        var removed = EntryBuffer()
        var added = EntryBuffer()
        let writer: KeyedWriter
    }

    private let catalog: CatalogSnapshot
    private var fieldChanges: Changes
    private var compositeChanges: Changes
    private(set) var indexers: [Text: GroupIndexer]

    /// - Parameter indexers: those of earlier commits under the same catalog.
    @_lifetime(cursors: copy cursors)
    init(
        _ stores: Stores, _ catalog: CatalogSnapshot, indexers: [Text: GroupIndexer], _ cursors: inout CursorSet
    ) throws(EngineError) {
        self.catalog = catalog
        self.indexers = indexers
        let runs = Counter(.runs, stores)
        fieldChanges = Changes(writer: try KeyedWriter(stores.keyed(stores.fieldEntries), runs: runs, &cursors))
        compositeChanges = Changes(
            writer: try KeyedWriter(stores.keyed(stores.compositeEntries), runs: runs, &cursors))
    }

    /// Bytes of memory that waiting entries take.
    var pendingSize: Int {
        [fieldChanges, compositeChanges].reduce(0) { $0 + $1.removed.size + $1.added.size }
    }

    /// Notes that a document's fields changed from `old` to `new`; nil where it does not exist.
    @_lifetime(cursors: copy cursors)
    mutating func note(
        _ path: DocumentPath, _ key: DocumentKey, from old: Fields?, to new: Fields?, _ numbers: inout NumberGiver,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        let indexer = indexer(path.collection.group)
        let (removed, added) = IndexMaintainer.difference(old ?? .empty, new ?? .empty)
        try indexer.appendFieldEntries(removed, key, to: &fieldChanges.removed, &numbers, &cursors)
        try indexer.appendFieldEntries(added, key, to: &fieldChanges.added, &numbers, &cursors)
        for composite in indexer.composites {
            let isTouched = composite.definition.fields.contains { field in
                removed[field.path.segments[0]] != nil || added[field.path.segments[0]] != nil
            }
            guard isTouched else { continue }
            if let old { indexer.appendCompositeEntries(old, key, composite, to: &compositeChanges.removed) }
            if let new { indexer.appendCompositeEntries(new, key, composite, to: &compositeChanges.added) }
        }
    }

    private mutating func indexer(_ group: Text) -> GroupIndexer {
        if let known = indexers[group] { return known }
        let indexer = GroupIndexer(group, catalog)
        indexers[group] = indexer
        return indexer
    }

    /// The top-level fields that differ, as they were and as they are.
    private static func difference(_ old: Fields, _ new: Fields) -> (removed: Fields, added: Fields) {
        if old.isEmpty || new.isEmpty { return (old, new) }
        let isChanged = { (field: Field, other: Fields) in
            other[field.name].map { !$0.isIdentical(to: field.value) } ?? true
        }
        return (
            Fields(sorted: old.storage.filter { isChanged($0, new) }),
            Fields(sorted: new.storage.filter { isChanged($0, old) })
        )
    }

    /// Applies what was noted.
    @_lifetime(cursors: copy cursors)
    mutating func flush(_ cursors: inout CursorSet) throws(EngineError) {
        try EntryDifference.apply(
            removing: &fieldChanges.removed, adding: &fieldChanges.added, fieldChanges.writer, &cursors)
        try EntryDifference.apply(
            removing: &compositeChanges.removed, adding: &compositeChanges.added, compositeChanges.writer, &cursors)
    }
}
