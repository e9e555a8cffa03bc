// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Brings the stored entries from one catalog to another, inside one write transaction: removes those of dropped indexes and
/// makes those of new ones from the documents that are there.
struct IndexBuilder {
    private let stores: Stores
    private let database: DatabaseID
    private let old: CatalogSnapshot
    private let new: CatalogSnapshot
    private let fields: KeyedWriter
    private let composites: KeyedWriter
    private var numbers: NumberGiver
    private var removed = EntryBuffer()
    private var added = EntryBuffer()
    private var addedComposites = EntryBuffer()

    private static let pendingLimit = 64 << 20

    @_lifetime(cursors: copy cursors)
    init(
        _ stores: Stores, from old: CatalogSnapshot, to new: CatalogSnapshot, database: DatabaseID,
        _ cursors: inout CursorSet
    ) throws(EngineError) {
        self.stores = stores
        self.old = old
        self.new = new
        self.database = database
        let runs = Counter(.runs, stores)
        fields = try KeyedWriter(stores.keyed(stores.fieldEntries), runs: runs, &cursors)
        composites = try KeyedWriter(stores.keyed(stores.compositeEntries), runs: runs, &cursors)
        numbers = try NumberGiver(stores, &cursors)
    }

    /// - Parameter progress: told the number of documents read so far.
    @_lifetime(cursors: copy cursors)
    mutating func build(_ progress: (Int) -> Void, _ cursors: inout CursorSet) throws(EngineError) {
        let known = Set(old.composites.map(\.number))
        let kept = Set(new.composites.map(\.number))
        for composite in old.composites where !kept.contains(composite.number) {
            try removeEntries(of: composite, &cursors)
        }
        let fresh = new.composites.filter { !known.contains($0.number) }
        let overridesChanged = Set(old.indexes.fieldOverrides) != Set(new.indexes.fieldOverrides)
        var documents = 0
        for (path, number) in try collections(&cursors) {
            let builds = fresh.filter { $0.definition.collectionGroup == path.group && !$0.definition.fields.isEmpty }
            guard !builds.isEmpty || (overridesChanged && isOverrideChanged(path.group)) else { continue }
            try build(path, number, builds, overridesChanged: overridesChanged, &documents, progress, &cursors)
        }
        try flush(&cursors)
    }

    /// Whether any override of the group, or the database's default, differs.
    private func isOverrideChanged(_ group: Text) -> Bool {
        let relevant = { (catalog: CatalogSnapshot) in
            Set(
                catalog.indexes.fieldOverrides.filter {
                    $0.collectionGroup == group || $0.collectionGroup == "__default__"
                })
        }
        return relevant(old) != relevant(new)
    }

    @_lifetime(cursors: copy cursors)
    private func collections(_ cursors: inout CursorSet) throws(EngineError) -> [(CollectionPath, UInt64)] {
        var list = try CollectionList(.descendants(of: nil), stores, backwards: false, &cursors)
        var collections: [(CollectionPath, UInt64)] = []
        while let item = try list.next(&cursors) {
            collections.append((try CollectionPath(encoded: item.path), item.number))
        }
        return collections
    }

    @_lifetime(cursors: copy cursors)
    private mutating func build(
        _ path: CollectionPath, _ number: UInt64, _ builds: [StoredComposite], overridesChanged: Bool,
        _ documents: inout Int, _ progress: (Int) -> Void, _ cursors: inout CursorSet
    ) throws(EngineError) {
        let before = GroupIndexer(path.group, old)
        let after = GroupIndexer(path.group, new)
        var cursor = try RangeCursor(
            stores.keyed(stores.documents), prefix: OrderedInteger.bytes(number), ranges: [.all], backwards: false,
            &cursors)
        while try cursor.next(&cursors) {
            let name = try cursor.withEntry(cursors) { (id, _) throws(EngineError) in try path.document(encodedID: id) }
            let document = try cursor.withWholeEntry(cursors) { (key, record) throws(EngineError) in
                try Document(name, record, key: key, database: database)
            }
            let key = DocumentKey(name, collection: number)
            for composite in builds {
                after.appendCompositeEntries(document.fields, key, composite, to: &addedComposites)
            }
            if overridesChanged {
                try before.appendFieldEntries(document.fields, key, to: &removed, &numbers, &cursors)
                try after.appendFieldEntries(document.fields, key, to: &added, &numbers, &cursors)
            }
            documents += 1
            if documents % 1_000 == 0 { progress(documents) }
            if removed.size + added.size + addedComposites.size > IndexBuilder.pendingLimit { try flush(&cursors) }
        }
    }

    @_lifetime(cursors: copy cursors)
    private mutating func flush(_ cursors: inout CursorSet) throws(EngineError) {
        try EntryDifference.apply(removing: &removed, adding: &added, fields, &cursors)
        var none = EntryBuffer()
        try EntryDifference.apply(removing: &none, adding: &addedComposites, composites, &cursors)
    }

    @_lifetime(cursors: copy cursors)
    private func removeEntries(of composite: StoredComposite, _ cursors: inout CursorSet) throws(EngineError) {
        var cursor = try KeyCursor(stores.keyed(stores.compositeEntries), &cursors)
        let prefix = OrderedInteger.bytes(composite.number)
        while try cursor.seek(prefix.span.bytes, &cursors), startsWith(cursor.key(cursors), prefix.span.bytes) {
            let key = [UInt8](copying: cursor.key(cursors))
            _ = try composites.delete(key, &cursors)
        }
        cursor.close(&cursors)
    }
}

extension CollectionPath {
    /// The collection at an encoded path without its end mark.
    init(encoded: [UInt8]) throws(EngineError) {
        let bytes = encoded + [0]
        var reader = KeyReader(bytes.span.bytes)
        let path: ResourcePath
        do { path = try reader.path() } catch { throw EngineError(error) }
        guard path.count % 2 == 1 else { throw .damaged("the catalog lists a collection that is none") }
        self.init(path)
    }
}
