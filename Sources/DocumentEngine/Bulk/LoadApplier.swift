// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Applies a batch inside a write transaction: what stands under its names goes, with its entries, and the batch comes.
struct LoadApplier {
    private let database: DatabaseID
    private let catalog: CatalogSnapshot
    private let commitTime: Timestamp
    private var allocator: IDAllocator
    private var entryBuilders: [Text: IndexEntryBuilder] = [:]
    private var removedFields = EntryBuffer()
    private var removedComposites = EntryBuffer()

    init(
        _ database: DatabaseID, _ catalog: CatalogSnapshot, commitTime: Timestamp, _ transaction: inout Transaction
    ) throws(EngineError) {
        self.database = database
        self.catalog = catalog
        self.commitTime = commitTime
        allocator = try IDAllocator(&transaction)
    }

    mutating func apply(_ batch: LoadBatch, _ transaction: inout Transaction) throws(EngineError) {
        let documents = try LongKeyWriter(.documents, &transaction)
        for index in batch.documents.entries.indices {
            let key = Array(batch.documents.bytes[batch.documents.key(index)])
            let content = batch.documents.bytes[batch.documents.value(index)]
            let old = try stored(key, batch, transaction)
            if let old { try noteRemoval(old, key, &transaction) }
            let record = StoredDocumentEncoder.record(
                of: content, createTime: old?.createTime ?? commitTime, updateTime: commitTime, key: key)
            try documents.put(key, record, &transaction)
        }
        removedFields.sort()
        removedComposites.sort()
        try EntryDifference.apply(
            removingSorted: removedFields, addingSorted: batch.fieldEntries,
            LongKeyWriter(.fieldEntries, &transaction), &transaction)
        try EntryDifference.apply(
            removingSorted: removedComposites, addingSorted: batch.compositeEntries,
            LongKeyWriter(.compositeEntries, &transaction), &transaction)
    }

    /// The document that a batch's document replaces.
    private func stored(
        _ key: [UInt8], _ batch: LoadBatch, _ transaction: borrowing Transaction
    ) throws(EngineError) -> Document? {
        guard let record = try transaction.get(key.span.bytes, from: .documents) else { return nil }
        return try Document(path(key, batch), record, key: key.span.bytes, database: database)
    }

    private func path(_ key: [UInt8], _ batch: LoadBatch) throws(EngineError) -> DocumentPath {
        var offset = 0
        let collectionID = try OrderedInteger.read(key.span.bytes, &offset)
        guard let collection = batch.collections[collectionID] else { throw .damaged("a batch lost a collection") }
        return try collection.document(encodedID: key.span.bytes.extracting(offset..<key.count))
    }

    private mutating func noteRemoval(_ old: Document, _ key: [UInt8], _ transaction: inout Transaction)
        throws(EngineError)
    {
        let group = old.path.collection.group
        let entryBuilder = entryBuilders[group] ?? IndexEntryBuilder(group, catalog)
        entryBuilders[group] = entryBuilder
        let documentKey = DocumentKey(old.path, collectionID: try OrderedInteger.read(key.span.bytes))
        try entryBuilder.appendFieldEntries(old.fields, documentKey, to: &removedFields, &allocator, &transaction)
        for composite in entryBuilder.composites {
            entryBuilder.appendCompositeEntries(old.fields, documentKey, composite, to: &removedComposites)
        }
    }
}
