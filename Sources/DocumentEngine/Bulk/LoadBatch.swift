// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Documents of one commit of a load, encoded before any lock is taken.
struct LoadBatch: Sendable {
    /// Keys of the documents store and the contents of records, which get their times at the commit.
    fileprivate(set) var documents = EntryBuffer()
    fileprivate(set) var fieldEntries = EntryBuffer()
    fileprivate(set) var compositeEntries = EntryBuffer()
    /// By ID: where the documents lie.
    fileprivate(set) var collections: [UInt64: CollectionPath] = [:]

    fileprivate init() {}

    /// Both halves are to be done before it is applied. They are shared out so that the thread that encodes and the thread that
    /// commits have about as much to do.
    fileprivate mutating func sortFirstHalf() {
        documents.sort()
        compositeEntries.sort()
    }

    mutating func sortSecondHalf() { fieldEntries.sort() }
}

/// Encodes documents for a load, on the caller's thread. The maintenance lock keeps the index definitions as they are.
struct LoadBatchBuilder {
    private let scheduler: TransactionScheduler
    private var collectionIDs: [CollectionPath: UInt64] = [:]
    private var batch = LoadBatch()
    private var entries: IndexEntryCollector
    /// The documents of the batch. A name that comes again ends the batch, so that the later document replaces the earlier one.
    private var keys: Set<[UInt8]> = []

    /// What two batches, one being collected and one being committed, may take twice.
    private static let batchSize = 80 << 20
    /// How many collection IDs are cached beyond a batch.
    private static let collectionLimit = 100_000

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        self.scheduler = scheduler
        entries = IndexEntryCollector(try scheduler.catalog(), allocatingBy: scheduler.fieldIndexIDs)
    }

    var isEmpty: Bool { keys.isEmpty }
    var isFull: Bool { batch.documents.size + entries.size >= LoadBatchBuilder.batchSize }
    var count: Int { keys.count }

    /// Whether documents of a collection can be added: it has an ID.
    mutating func knows(_ path: CollectionPath) throws(EngineError) -> Bool {
        if collectionIDs[path] != nil { return true }
        let collectionID = try scheduler.read { (transaction) throws(EngineError) in
            try scheduler.ids.collectionID(of: path, transaction)
        }
        collectionIDs[path] = collectionID
        return collectionID != nil
    }

    /// Allocates IDs for collections, in a commit of its own: an ID without documents is harmless.
    mutating func allocateIDs(for paths: Set<CollectionPath>) throws(EngineError) {
        let allocated = try scheduler.write { (transaction, _, _) throws(EngineError) in
            var allocator = try IDAllocator(&transaction)
            var allocated: [CollectionPath: UInt64] = [:]
            for path in paths { allocated[path] = try allocator.collectionID(of: path, &transaction) }
            return allocated
        }
        collectionIDs.merge(allocated) { known, _ in known }
    }

    func contains(_ path: DocumentPath) -> Bool {
        guard let collectionID = collectionIDs[path.collection] else { return false }
        return keys.contains(DocumentKey(path, collectionID: collectionID).bytes)
    }

    /// Adds a valid document, not in the batch, of a collection that is known.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        guard let collectionID = collectionIDs[path.collection] else { throw .damaged("a load lost a collection") }
        let key = DocumentKey(path, collectionID: collectionID)
        keys.insert(key.bytes)
        batch.collections[collectionID] = path.collection
        batch.documents.append(
            key: key.bytes, value: StoredDocumentEncoder.content(of: fields, database: scheduler.database))
        try entries.add(key, fields)
    }

    /// The batch; the next one begins.
    mutating func take() throws(EngineError) -> LoadBatch {
        try entries.resolvePending()
        var full = batch
        full.fieldEntries = entries.fields
        full.compositeEntries = entries.composites
        full.sortFirstHalf()
        batch = LoadBatch()
        entries.removeAll()
        keys.removeAll(keepingCapacity: true)
        if collectionIDs.count >= LoadBatchBuilder.collectionLimit { collectionIDs.removeAll() }
        return full
    }
}
