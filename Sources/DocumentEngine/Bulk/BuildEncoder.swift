// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Stored records of one collection.
struct RecordBatch: Sendable {
    let collection: CollectionPath
    let collectionID: UInt64
    let records: EntryBuffer
}

/// Turns records into sorted runs of entries of the indexes that are being built.
struct BuildEncoder: RunMaker {
    private let scheduler: TransactionScheduler
    private var entries: IndexEntryCollector
    private var runs: EntryRuns
    /// Whether automatic indexes are built too, which requires all fields of a document.
    private let buildsFields: Bool

    private static let limit = 40 << 20

    init(_ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot, _ file: ScratchFile) {
        self.scheduler = scheduler
        entries = IndexEntryCollector(catalog, of: .building, allocatingBy: scheduler.fieldIndexIDs)
        buildsFields = catalog.formerOverrides != nil
        runs = EntryRuns(file)
    }

    mutating func encode(_ batch: RecordBatch) throws(EngineError) {
        let bytes = batch.records.bytes
        for index in batch.records.entries.indices {
            let key = bytes.span.bytes.extracting(batch.records.key(index))
            let name = DocumentKey(stored: key, in: batch.collection, collectionID: batch.collectionID)
            try add(name, batch, key, bytes.span.bytes.extracting(batch.records.value(index)))
        }
        try entries.resolvePending()
        if entries.size > BuildEncoder.limit { try runs.append(&entries) }
    }

    private mutating func add(
        _ name: DocumentKey, _ batch: RecordBatch, _ key: RawSpan, _ record: RawSpan
    ) throws(EngineError) {
        let fields: Fields
        do throws(StoredFormatError) {
            let document = try StoredDocument(record, key: key, database: scheduler.database)
            if !buildsFields { return try entries.addComposites(name, document) }
            fields = try document.fields()
        } catch {
            let path = try batch.collection.document(encodedID: name.id)
            throw EngineError(error, in: path)
        }
        try entries.add(name, fields)
    }

    mutating func finish() throws(EngineError) -> EntryRuns {
        try runs.append(&entries)
        return runs
    }
}
