// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import Synchronization

/// Documents of new collections: encoded and sorted on several threads, merged at the end, and then seen all at once.
struct StagedLoad {
    private let engine: Engine
    private let catalog: CatalogSnapshot
    private var collections: StagedCollections
    private var batch: [LoadedDocument] = []
    private var batchSize = 0
    private var encoders: RunMakers<LoadEncoder>?
    private(set) var count = 0

    /// Documents, and about so many bytes, that a thread is given at once.
    private static let batchLimit = 500
    private static let batchSizeLimit = 4 << 20
    /// Documents that are moved at a time.
    private static let sliceLimit = 100
    /// What one commit writes.
    private static let sliceSize = 12 << 20

    init(_ engine: Engine, _ catalog: CatalogSnapshot) {
        self.engine = engine
        self.catalog = catalog
        collections = StagedCollections(engine, catalog)
    }

    /// Takes a valid document of a new collection; false for any other, which is left alone.
    mutating func add(_ path: DocumentPath, _ fields: Fields) throws(EngineError) -> Bool {
        guard let number = try collections.number(of: path.collection) else { return false }
        batch.append(LoadedDocument(sequence: UInt64(count), path: path, collection: number, fields: fields))
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
        let file: ScratchFile
        do { file = try ScratchFile(beside: engine.environment.path) } catch { throw .storage(error) }
        return RunMakers { [engine, catalog] in LoadEncoder(engine, catalog, file) }
    }

    /// Writes what was sorted and makes the collections visible.
    mutating func finish(_ progress: (Double) -> Void) throws(EngineError) {
        guard count > 0 else { return }
        try submit()
        guard let encoders else { return }
        var runs = try encoders.finish()
        self.encoders = nil
        let time = try engine.write { (_, commitTime, _) throws(EngineError) in commitTime }
        var writer = SliceWriter(engine, total: runs.documents.size + runs.fields.size + runs.composites.size)
        let paths = Dictionary(uniqueKeysWithValues: collections.numbers.map { ($1, $0) })
        let documents = Mutex(try DocumentMerger(engine, catalog, runs, paths, time: time))
        try writer.write(engine.stores.documents, progress) { (buffer) throws(EngineError) in
            try documents.withLock { (merger) throws(EngineError) in
                try merger.fill(&buffer, limit: StagedLoad.sliceSize)
            }
        }
        runs.append(try documents.withLock { (merger) throws(EngineError) in try merger.finish() })
        for (store, sorted) in [
            (engine.stores.fieldEntries, runs.fields), (engine.stores.compositeEntries, runs.composites),
        ] {
            let entries = Mutex(try RunMerger(sorted))
            try writer.write(store, progress) { (buffer) throws(EngineError) in
                try entries.withLock { (merger) throws(EngineError) in
                    try merger.fill(&buffer, limit: StagedLoad.sliceSize)
                }
            }
        }
        try publish()
    }

    /// Gives the collections their numbers, in one commit. A collection that another writer has made meanwhile keeps its number;
    /// the documents are written into it in the ordinary way.
    private func publish() throws(EngineError) {
        let numbers = collections.numbers
        let taken = try engine.write { (cursors, _, changes) throws(EngineError) in
            changes.giveUp()
            var giver = try NumberGiver(engine.stores, &cursors)
            var taken: [CollectionPath: UInt64] = [:]
            for (path, number) in numbers {
                if try giver.existing(path, cursors) != nil {
                    taken[path] = number
                } else {
                    try giver.publish(path, number, &cursors)
                }
            }
            let records = UnfinishedLoads(engine.stores)
            for block in collections.reserved { try records.remove(block, &cursors) }
            for number in taken.values { try records.put(number..<number + 1, &cursors) }
            return taken
        }
        for (path, number) in taken {
            try moveDocuments(of: path, number)
            try engine.removeUnfinishedLoads([number..<number + 1])
        }
    }

    private func moveDocuments(of path: CollectionPath, _ number: UInt64) throws(EngineError) {
        var load = try OrdinaryLoad(engine)
        var from = OrderedInteger.bytes(number)
        let end = OrderedInteger.bytes(number + 1)
        while true {
            let (documents, next) = try slice(of: path, from: from, upTo: end)
            for document in documents { try load.add(document.path, document.fields) }
            guard let next else { break }
            from = next
        }
        _ = try load.finish()
    }

    /// Some documents and the key of the one after them.
    private func slice(
        of path: CollectionPath, from: [UInt8], upTo: [UInt8]
    ) throws(EngineError) -> ([Document], next: [UInt8]?) {
        try engine.read { (cursors) throws(EngineError) in
            var documents: [Document] = []
            var cursor = try KeyCursor(engine.stores.keyed(engine.stores.documents), &cursors)
            var isFound = try cursor.seek(from.span.bytes, &cursors)
            while isFound, cursor.key(cursors).compare(to: upTo) < 0 {
                let key = [UInt8](copying: cursor.key(cursors))
                guard documents.count < StagedLoad.sliceLimit else { return (documents, key) }
                var offset = 0
                _ = try OrderedInteger.read(key.span.bytes, &offset)
                let name = try path.document(encodedID: key.span.bytes.extracting(offset..<key.count))
                documents.append(
                    try Document(name, cursor.value(cursors), key: key.span.bytes, database: engine.database))
                isFound = try cursor.next(&cursors)
            }
            return (documents, nil)
        }
    }
}
