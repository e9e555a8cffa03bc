// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A document on its way into a new collection.
struct LoadedDocument: Sendable {
    /// Of two documents of one name that with the higher number counts.
    let sequence: UInt64
    let path: DocumentPath
    let collection: UInt64
    let fields: Fields
}

/// What a load has sorted so far, of every store.
struct LoadRuns: Sendable {
    /// Keys of documents; their values are eight bytes of sequence number, big-endian, and the record's content.
    var documents: SortedRuns
    var fields: SortedRuns
    var composites: SortedRuns

    init(_ file: ScratchFile) {
        documents = SortedRuns(file)
        fields = SortedRuns(file)
        composites = SortedRuns(file)
    }

    mutating func append(_ other: LoadRuns) {
        documents.append(other.documents)
        fields.append(other.fields)
        composites.append(other.composites)
    }

    /// Sorts entries and adds them.
    mutating func append(_ entries: inout EntryGatherer, _ rank: RunRank) throws(EngineError) {
        try entries.settle()
        entries.sort()
        try fields.append(sorted: entries.fields, rank)
        try composites.append(sorted: entries.composites, rank)
        entries.removeAll()
    }
}

/// Turns documents into sorted runs; each thread of a load has its own.
struct LoadEncoder {
    private let engine: Engine
    private var documents = EntryBuffer()
    private var entries: EntryGatherer
    private var runs: LoadRuns

    /// What one encoder may hold in memory.
    private static let limit = 40 << 20

    init(_ engine: Engine, _ catalog: CatalogSnapshot, _ file: ScratchFile) {
        self.engine = engine
        entries = EntryGatherer(engine, catalog)
        runs = LoadRuns(file)
    }

    mutating func encode(_ batch: [LoadedDocument]) throws(EngineError) {
        for document in batch {
            let key = DocumentKey(document.path, collection: document.collection)
            documents.beginEntry()
            documents.encoder.append(encoded: key.bytes)
            documents.endKey()
            for shift in stride(from: 56, through: 0, by: -8) {
                documents.encoder.append(byte: UInt8(truncatingIfNeeded: document.sequence >> UInt64(shift)))
            }
            documents.encoder.append(
                encoded: StoredDocumentEncoder.content(of: document.fields, database: engine.database))
            documents.endEntry()
            try entries.add(key, document.fields)
        }
        try entries.settle()
        if documents.size + entries.size > LoadEncoder.limit { try spill() }
    }

    mutating func finish() throws(EngineError) -> LoadRuns {
        try spill()
        documents = EntryBuffer()
        return runs
    }

    private mutating func spill() throws(EngineError) {
        documents.sortKeepingAll()
        try runs.documents.append(sorted: documents)
        documents.removeAll()
        try runs.append(&entries, .entry)
    }
}
