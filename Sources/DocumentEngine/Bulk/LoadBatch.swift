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
    /// By number: where the documents lie.
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
struct LoadGatherer {
    private let scheduler: TransactionScheduler
    private var collections: [CollectionPath: UInt64] = [:]
    private var batch = LoadBatch()
    private var entries: EntryGatherer
    /// The documents of the batch. A name that comes again ends the batch, so that the later document replaces the earlier one.
    private var keys: Set<[UInt8]> = []

    /// What two batches, one being gathered and one being committed, may take twice.
    private static let batchSize = 80 << 20
    /// Numbers of collections that are remembered beyond a batch.
    private static let collectionLimit = 100_000

    init(_ scheduler: TransactionScheduler) throws(EngineError) {
        self.scheduler = scheduler
        entries = EntryGatherer(try scheduler.catalog(), allocatingBy: scheduler.fieldIndexNumbers)
    }

    var isEmpty: Bool { keys.isEmpty }
    var isFull: Bool { batch.documents.size + entries.size >= LoadGatherer.batchSize }
    var count: Int { keys.count }

    /// Whether documents of a collection can be added: it has a number.
    mutating func knows(_ path: CollectionPath) throws(EngineError) -> Bool {
        if collections[path] != nil { return true }
        let number = try scheduler.read { (transaction) throws(EngineError) in
            try scheduler.numbers.collection(path, transaction)
        }
        collections[path] = number
        return number != nil
    }

    /// Numbers collections, in a commit of its own: a number without documents harms nothing.
    mutating func number(_ paths: Set<CollectionPath>) throws(EngineError) {
        let given = try scheduler.write { (transaction, _, _) throws(EngineError) in
            var numbers = try NumberGiver(&transaction)
            var given: [CollectionPath: UInt64] = [:]
            for path in paths { given[path] = try numbers.collection(path, &transaction) }
            return given
        }
        collections.merge(given) { known, _ in known }
    }

    func contains(_ path: DocumentPath) -> Bool {
        guard let collection = collections[path.collection] else { return false }
        return keys.contains(DocumentKey(path, collection: collection).bytes)
    }

    /// Adds a valid document, not in the batch, of a collection that is known.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        guard let collection = collections[path.collection] else { throw .damaged("a load lost a collection") }
        let key = DocumentKey(path, collection: collection)
        keys.insert(key.bytes)
        batch.collections[collection] = path.collection
        batch.documents.append(
            key: key.bytes, value: StoredDocumentEncoder.content(of: fields, database: scheduler.database))
        try entries.add(key, fields)
    }

    /// The batch; the next one begins.
    mutating func take() throws(EngineError) -> LoadBatch {
        try entries.settle()
        var full = batch
        full.fieldEntries = entries.fields
        full.compositeEntries = entries.composites
        full.sortFirstHalf()
        batch = LoadBatch()
        entries.removeAll()
        keys.removeAll(keepingCapacity: true)
        if collections.count >= LoadGatherer.collectionLimit { collections.removeAll() }
        return full
    }
}
