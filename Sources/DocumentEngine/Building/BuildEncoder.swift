// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Records of one collection, as they stand in the documents store.
struct RecordBatch: Sendable {
    let collection: CollectionPath
    let number: UInt64
    var records = EntryBuffer()
}

/// Turns records into sorted runs of the entries of those indexes that are being built.
struct BuildEncoder: RunMaker {
    private let engine: Engine
    private var entries: EntryGatherer
    private var runs: EntryRuns

    private static let limit = 40 << 20

    init(_ engine: Engine, _ catalog: CatalogSnapshot, _ file: ScratchFile) {
        self.engine = engine
        entries = EntryGatherer(engine, catalog, of: .building)
        runs = EntryRuns(file)
    }

    mutating func encode(_ batch: RecordBatch) throws(EngineError) {
        let bytes = batch.records.bytes
        let prefix = OrderedInteger.bytes(batch.number).count
        for index in batch.records.entries.indices {
            let key = bytes.span.bytes.extracting(batch.records.key(index))
            let name = try batch.collection.document(encodedID: key.extracting(prefix..<key.byteCount))
            let record = bytes.span.bytes.extracting(batch.records.value(index))
            let document = try Document(name, record, key: key, database: engine.database)
            try entries.add(DocumentKey(name, collection: batch.number), document.fields)
        }
        try entries.settle()
        if entries.size > BuildEncoder.limit { try runs.append(&entries) }
    }

    mutating func finish() throws(EngineError) -> EntryRuns {
        try runs.append(&entries)
        return runs
    }
}
