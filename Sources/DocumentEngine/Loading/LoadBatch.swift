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

    /// Bytes of memory.
    var size: Int { documents.size + fieldEntries.size + compositeEntries.size }

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
    private let engine: Engine
    private let catalog: CatalogSnapshot
    private var indexers: [Text: GroupIndexer] = [:]
    private var collections: [CollectionPath: UInt64] = [:]
    private var batch: LoadBatch
    /// The documents of the batch. A name that comes again ends the batch, so that the later document replaces the earlier one.
    private var keys: Set<[UInt8]> = []

    /// What two batches, one being gathered and one being committed, may take twice.
    private static let batchSize = 80 << 20
    /// Numbers of collections that are remembered.
    private static let collectionLimit = 100_000

    init(_ engine: Engine) throws(EngineError) {
        self.engine = engine
        catalog = try engine.catalog()
        batch = LoadBatch()
    }

    var isEmpty: Bool { keys.isEmpty }
    var isFull: Bool { batch.size >= LoadGatherer.batchSize }
    var count: Int { keys.count }

    func contains(_ path: DocumentPath) -> Bool {
        guard let collection = collections[path.collection] else { return false }
        return keys.contains(DocumentKey(path, collection: collection).bytes)
    }

    /// Adds a valid document that is not in the batch.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) {
        if collections.count >= LoadGatherer.collectionLimit { collections.removeAll() }
        let collection = try number(of: path.collection)
        let key = DocumentKey(path, collection: collection)
        keys.insert(key.bytes)
        batch.collections[collection] = path.collection
        batch.documents.append(
            key: key.bytes, value: StoredDocumentEncoder.content(of: fields, database: engine.database))
        let indexer = indexer(path.collection.group)
        let mark = batch.fieldEntries.mark
        let unnumbered = indexer.appendFieldEntries(fields, key, to: &batch.fieldEntries)
        if !unnumbered.isEmpty {
            try number(unnumbered)
            batch.fieldEntries.truncate(to: mark)
            _ = indexer.appendFieldEntries(fields, key, to: &batch.fieldEntries)
        }
        for composite in indexer.composites {
            indexer.appendCompositeEntries(fields, key, composite, to: &batch.compositeEntries)
        }
    }

    /// The batch; the next one begins.
    mutating func take() -> LoadBatch {
        var full = batch
        batch = LoadBatch()
        keys.removeAll(keepingCapacity: true)
        full.sortFirstHalf()
        return full
    }

    private mutating func indexer(_ group: Text) -> GroupIndexer {
        if let known = indexers[group] { return known }
        let indexer = GroupIndexer(group, catalog)
        indexers[group] = indexer
        return indexer
    }

    /// Numbers are given in commits of their own: a number without documents harms nothing.
    private mutating func number(of path: CollectionPath) throws(EngineError) -> UInt64 {
        if let known = collections[path] { return known }
        let number = try engine.write { (cursors, _, _) throws(EngineError) in
            var numbers = try NumberGiver(self.engine.stores, &cursors)
            return try numbers.collection(path, &cursors)
        }
        collections[path] = number
        return number
    }

    private func number(_ unnumbered: [GroupIndexer.Unnumbered]) throws(EngineError) {
        let given = try engine.write { (cursors, _, _) throws(EngineError) in
            var numbers = try NumberGiver(self.engine.stores, &cursors)
            var given: [UInt64] = []
            for missing in unnumbered { given.append(try numbers.fieldIndex(missing.index, &cursors)) }
            return given
        }
        for (missing, number) in zip(unnumbered, given) { missing.setNumber(number) }
    }
}
