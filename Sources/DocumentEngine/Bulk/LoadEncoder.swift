// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A document for a new collection.
struct LoadedDocument: Sendable {
    /// Of documents with the same name, the highest sequence number wins.
    let sequence: UInt64
    let path: DocumentPath
    let collectionID: UInt64
    let fields: Fields
}

/// Turns documents into sorted runs of records and entries.
struct LoadEncoder: RunMaker {
    private let scheduler: TransactionScheduler
    private var documents = EntryBuffer()
    private var entries: IndexEntryCollector
    private var runs: EntryRuns

    /// Limits the memory of one encoder.
    private static let limit = 24 << 20

    init(_ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot, _ file: ScratchFile) {
        self.scheduler = scheduler
        entries = IndexEntryCollector(catalog, allocatingBy: scheduler.fieldIndexIDs)
        runs = EntryRuns(file)
    }

    mutating func encode(_ batch: [LoadedDocument]) throws(EngineError) {
        for document in batch {
            let key = DocumentKey(document.path, collectionID: document.collectionID)
            documents.beginEntry()
            documents.encoder.append(encoded: key.bytes)
            documents.endKey()
            for shift in stride(from: 56, through: 0, by: -8) {
                documents.encoder.append(byte: UInt8(truncatingIfNeeded: document.sequence >> UInt64(shift)))
            }
            documents.encoder.append(
                encoded: StoredDocumentEncoder.content(of: document.fields, database: scheduler.database))
            documents.endEntry()
            try entries.add(key, document.fields)
        }
        try entries.resolvePending()
        if documents.size + entries.size > LoadEncoder.limit { try spill() }
    }

    mutating func finish() throws(EngineError) -> EntryRuns {
        try spill()
        documents = EntryBuffer()
        return runs
    }

    private mutating func spill() throws(EngineError) {
        documents.sortKeepingAll()
        try runs.documents.append(sorted: documents)
        documents.removeAll()
        try runs.append(&entries)
    }
}
