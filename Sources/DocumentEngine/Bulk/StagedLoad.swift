// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Synchronization

/// Loads documents of new collections. Several threads encode and sort them. The end of the load merges the runs and
/// publishes all documents at once.
struct StagedLoad {
    private let scheduler: TransactionScheduler
    private let catalog: CatalogSnapshot
    private var collections: StagedCollections
    private var batch: [LoadedDocument] = []
    private var batchSize = 0
    private var encoders: RunMakers<LoadEncoder>?
    private(set) var count = 0

    /// Limits a thread's batch, in documents and approximate bytes.
    private static let batchLimit = 500
    private static let batchSizeLimit = 4 << 20
    /// What one commit writes.
    private static let sliceSize = 12 << 20

    init(_ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot) {
        self.scheduler = scheduler
        self.catalog = catalog
        collections = StagedCollections(scheduler, catalog)
    }

    /// Adds a valid document of a new collection. Returns false, and does nothing, for other collections.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) -> Bool {
        guard let collectionID = try collections.collectionID(of: path.collection) else { return false }
        batch.append(LoadedDocument(sequence: UInt64(count), path: path, collectionID: collectionID, fields: fields))
        count += 1
        batchSize += DocumentSize.size(of: fields)
        if batchSize > StagedLoad.batchSizeLimit || batch.count == StagedLoad.batchLimit { try submit() }
        return true
    }

    private mutating func submit() throws(EngineError) {
        if encoders == nil { encoders = try start() }
        let full = batch
        batch.removeAll(keepingCapacity: true)
        batchSize = 0
        try encoders?.submit(full)
    }

    private mutating func start() throws(EngineError) -> RunMakers<LoadEncoder> {
        let file = try scheduler.makeScratchFile()
        return RunMakers { [scheduler, catalog] in LoadEncoder(scheduler, catalog, file) }
    }

    /// Waits for what still runs after a failure.
    func waitForThreads() { encoders?.waitForThreads() }

    /// Merges the sorted runs, writes them, and publishes the collections.
    mutating func finish(_ progress: (Double) -> Void) throws(EngineError) {
        guard count > 0 else { return }
        try submit()
        guard let encoders else { return }
        var runs = try encoders.finish()
        self.encoders = nil
        let time = try scheduler.write { (_, commitTime, _) throws(EngineError) in commitTime }
        var writer = SliceWriter(scheduler, total: runs.documents.size + runs.fields.size + runs.composites.size)
        let paths = Dictionary(uniqueKeysWithValues: collections.collectionIDs.map { ($1, $0) })
        let documents = Mutex(try DocumentMerger(scheduler, catalog, runs, paths, time: time))
        try writer.write(.documents, progress) { (buffer) throws(EngineError) in
            try documents.withLock { (merger) throws(EngineError) in
                try merger.fill(&buffer, limit: StagedLoad.sliceSize)
            }
        }
        runs.append(try documents.withLock { (merger) throws(EngineError) in try merger.finish() })
        for (store, sorted) in [(StoreName.fieldEntries, runs.fields), (.compositeEntries, runs.composites)] {
            let entries = Mutex(try RunMerger(sorted))
            try writer.write(store, progress) { (buffer) throws(EngineError) in
                try entries.withLock { (merger) throws(EngineError) in
                    try merger.fill(&buffer, limit: StagedLoad.sliceSize)
                }
            }
        }
        try publish()
    }

    /// Publishes the IDs of the collections in one commit. If another writer has created a collection meanwhile, that
    /// one keeps its ID, and the documents are moved into it by ordinary commits.
    private func publish() throws(EngineError) {
        let collectionIDs = collections.collectionIDs
        let taken = try scheduler.write { (transaction, commitTime, changes) throws(EngineError) in
            changes.discard()
            changes.history?.cut(at: UInt64(commitTime.microseconds))
            var allocator = try IDAllocator(&transaction)
            var taken: [CollectionPath: UInt64] = [:]
            for (path, collectionID) in collectionIDs {
                if try allocator.existingCollectionID(of: path, transaction) != nil {
                    taken[path] = collectionID
                } else {
                    try allocator.publish(path, collectionID, &transaction)
                }
            }
            for block in collections.reserved { try UnfinishedLoads.remove(block, &transaction) }
            for collectionID in taken.values { try UnfinishedLoads.put(collectionID..<collectionID + 1, &transaction) }
            return taken
        }
        for (path, collectionID) in taken {
            try moveDocuments(of: path, collectionID)
            try scheduler.removeUnfinishedLoads([collectionID..<collectionID + 1])
        }
    }

    private func moveDocuments(of path: CollectionPath, _ collectionID: UInt64) throws(EngineError) {
        var load = OrdinaryLoad(scheduler)
        defer { load.waitForThread() }
        var slices = EntrySlices(KeyRange(id: collectionID), of: .documents)
        while let slice = try scheduler.read({ (transaction) throws(EngineError) in try slices.next(&transaction) }) {
            let bytes = slice.bytes.span.bytes
            for index in slice.entries.indices {
                let key = bytes.extracting(slice.key(index))
                let document = try Document(
                    path.document(key: key), bytes.extracting(slice.value(index)), key: key,
                    database: scheduler.database)
                try load.add(document.path, document.fields)
            }
        }
        _ = try load.finish()
    }
}
