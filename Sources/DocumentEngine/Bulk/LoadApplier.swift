// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Applies a batch inside a write transaction: what stands under its names goes, with its entries, and the batch comes.
struct LoadApplier {
    private let engine: Engine
    private let catalog: CatalogSnapshot
    private let commitTime: Timestamp
    private var numbers: NumberGiver
    private var indexers: [Text: GroupIndexer] = [:]
    private var removedFields = EntryBuffer()
    private var removedComposites = EntryBuffer()

    init(
        _ engine: Engine, _ catalog: CatalogSnapshot, commitTime: Timestamp, _ cursors: inout CursorSet
    ) throws(EngineError) {
        self.engine = engine
        self.catalog = catalog
        self.commitTime = commitTime
        numbers = try NumberGiver(engine.stores, &cursors)
    }

    mutating func apply(_ batch: LoadBatch, _ cursors: inout CursorSet) throws(EngineError) {
        let stores = engine.stores
        let runs = Counter(.runs, stores)
        let documents = try KeyedWriter(stores.keyed(stores.documents), runs: runs, &cursors)
        for index in batch.documents.entries.indices {
            let key = Array(batch.documents.bytes[batch.documents.key(index)])
            let content = batch.documents.bytes[batch.documents.value(index)]
            let old = try stored(key, batch, cursors)
            if let old { try noteRemoval(old, key, &cursors) }
            let record = StoredDocumentEncoder.record(
                of: content, createTime: old?.createTime ?? commitTime, updateTime: commitTime, key: key)
            try documents.put(key, record, &cursors)
        }
        removedFields.sort()
        removedComposites.sort()
        try EntryDifference.apply(
            removingSorted: removedFields, addingSorted: batch.fieldEntries,
            KeyedWriter(stores.keyed(stores.fieldEntries), runs: runs, &cursors), &cursors)
        try EntryDifference.apply(
            removingSorted: removedComposites, addingSorted: batch.compositeEntries,
            KeyedWriter(stores.keyed(stores.compositeEntries), runs: runs, &cursors), &cursors)
    }

    /// The document that a batch's document replaces.
    private func stored(
        _ key: [UInt8], _ batch: LoadBatch, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Document? {
        let stores = engine.stores
        guard let record = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else { return nil }
        return try Document(path(key, batch), record, key: key.span.bytes, database: engine.database)
    }

    private func path(_ key: [UInt8], _ batch: LoadBatch) throws(EngineError) -> DocumentPath {
        var offset = 0
        let number = try OrderedInteger.read(key.span.bytes, &offset)
        guard let collection = batch.collections[number] else { throw .damaged("a batch lost a collection") }
        return try collection.document(encodedID: key.span.bytes.extracting(offset..<key.count))
    }

    private mutating func noteRemoval(_ old: Document, _ key: [UInt8], _ cursors: inout CursorSet) throws(EngineError) {
        let group = old.path.collection.group
        let indexer = indexers[group] ?? GroupIndexer(group, catalog)
        indexers[group] = indexer
        let documentKey = DocumentKey(old.path, collection: try OrderedInteger.read(key.span.bytes))
        try indexer.appendFieldEntries(old.fields, documentKey, to: &removedFields, &numbers, &cursors)
        for composite in indexer.composites {
            indexer.appendCompositeEntries(old.fields, documentKey, composite, to: &removedComposites)
        }
    }
}
