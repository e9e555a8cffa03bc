// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Makes the records of loaded documents, in key order. The last document with a given name wins. Entries of every
/// version are removed; entries of the last version outrank the removals.
struct DocumentMerger {
    private let scheduler: TransactionScheduler
    private let collections: [UInt64: CollectionPath]
    private let time: Timestamp
    private var documents: RunMerger
    private var removed: IndexEntryCollector
    private var last: IndexEntryCollector
    private var corrections: EntryRuns

    private static let sequenceSize = 8
    private static let pendingLimit = 16 << 20

    init(
        _ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot, _ runs: EntryRuns,
        _ collections: [UInt64: CollectionPath],
        time: Timestamp
    ) throws(EngineError) {
        self.scheduler = scheduler
        self.collections = collections
        self.time = time
        documents = try RunMerger(runs.documents)
        removed = IndexEntryCollector(catalog, allocatingBy: scheduler.fieldIndexIDs)
        last = IndexEntryCollector(catalog, allocatingBy: scheduler.fieldIndexIDs)
        corrections = EntryRuns(runs.documents.file)
    }

    mutating func fill(_ buffer: inout EntryBuffer, limit: Int) throws(EngineError) {
        while !documents.isAtEnd, buffer.size < limit {
            let key = [UInt8](copying: documents.key)
            var value = [UInt8](copying: documents.value)
            try documents.advance()
            var isRepeated = false
            while !documents.isAtEnd, documents.key.isEqual(to: key[...]) {
                var other = [UInt8](copying: documents.value)
                try documents.advance()
                if value.prefix(DocumentMerger.sequenceSize).lexicographicallyPrecedes(other) { swap(&value, &other) }
                try correct(.removal, key, other)
                isRepeated = true
            }
            if isRepeated {
                try correct(.removal, key, value)
                try correct(.last, key, value)
            }
            buffer.append(key: key, value: record(key, value))
        }
    }

    /// The runs that correct the entries of documents that were loaded several times.
    mutating func finish() throws(EngineError) -> EntryRuns {
        try corrections.append(&removed, .removal)
        try corrections.append(&last, .last)
        return corrections
    }

    private func record(_ key: [UInt8], _ value: [UInt8]) -> [UInt8] {
        StoredDocumentEncoder.record(
            of: value[DocumentMerger.sequenceSize...], createTime: time, updateTime: time, key: key)
    }

    private mutating func correct(_ rank: RunRank, _ key: [UInt8], _ value: [UInt8]) throws(EngineError) {
        let collectionID = try OrderedInteger.read(key.span.bytes)
        guard let collection = collections[collectionID] else { throw .damaged("a load lost a collection") }
        let path = try collection.document(key: key.span.bytes)
        let record = record(key, value)
        let document = try Document(path, record.span.bytes, key: key.span.bytes, database: scheduler.database)
        let documentKey = DocumentKey(path, collectionID: collectionID)
        if rank == .removal {
            try removed.add(documentKey, document.fields)
        } else {
            try last.add(documentKey, document.fields)
        }
        if removed.size > DocumentMerger.pendingLimit { try corrections.append(&removed, .removal) }
        if last.size > DocumentMerger.pendingLimit { try corrections.append(&last, .last) }
    }
}
