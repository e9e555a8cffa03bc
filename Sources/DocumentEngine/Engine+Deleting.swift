// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
internal import QueryPlanner

extension Engine {
    /// Deletes the document or collection at a path with everything below it, or every document. Keeps index
    /// definitions.
    ///
    /// Reads and commits in slices, so it is not atomic: other readers see a part of the deletions. If the call fails,
    /// the documents that come later in name order remain.
    ///
    /// - Parameters:
    ///   - root: the path; by default the root, which deletes every document.
    ///   - progress: called after each commit with the number of documents deleted so far.
    /// - Returns: the number of deleted documents.
    @discardableResult
    package func deleteDocuments(
        under root: ResourcePath = .root, progress: (Int) -> Void = { _ in }
    ) throws(EngineError) -> Int {
        var slices = NameSlices(self, under: root)
        var count = 0
        while let names = try slices.next() {
            _ = try commit(names.map { Write($0, .delete) })
            count += names.count
            progress(count)
        }
        return count
    }

    /// Deletes expired documents. A document expires if its group has a field override with `"ttl": true` and that
    /// field is a timestamp not after `now`. Other values and missing fields never expire. Subcollections remain (W-7).
    ///
    /// Reads in slices and deletes each document in its own commit, if it has not changed since it was read. So no
    /// other writer waits long, and an interrupted sweep can simply be repeated.
    ///
    /// - Parameters:
    ///   - now: by default the time at which the call begins.
    ///   - deleted: called for each deleted document.
    ///   - progress: called before each slice. If it throws, the call ends.
    /// - Returns: the number of deleted documents.
    @discardableResult
    package func deleteExpired(
        now: Timestamp? = nil, deleted: (DocumentPath) -> Void = { _ in },
        progress: () throws(EngineError) -> Void = {}
    ) throws(EngineError) -> Int {
        try scheduler.deleteExpired(now: now, deleted: deleted, progress: progress)
    }

    /// Forgets the collections that have no documents any more, unless the history that this engine keeps still has some. Each that is
    /// known costs queries of its group a seek, and room in the file.
    ///
    /// Looks at every collection, in short reads, and forgets in short commits, which finish an interrupted index change first. Does
    /// nothing in a database that is read-only, while a load or an index change is running, or if this engine keeps no history and
    /// another program does.
    ///
    /// - Parameter progress: called before each read and each commit. If it throws, the call ends, and a later one finds the rest.
    /// - Returns: the number of forgotten collections.
    @discardableResult
    package func forgetEmptyCollections(
        progress: () throws(EngineError) -> Void = {}
    ) throws(EngineError) -> Int {
        guard !isReadOnly else { return 0 }
        var sweep = CollectionSweep(scheduler)
        return try sweep.run(progress) { (commit) throws(EngineError) in try commitAlone(progress, commit) }
    }

    /// Forgets the automatic indexes that have no entries any more, such as those of fields that no document has. Each that is known
    /// costs room in the file, and loads and changes of indexes a look.
    ///
    /// Works as ``forgetEmptyCollections(progress:)``.
    ///
    /// - Returns: the number of forgotten indexes.
    @discardableResult
    package func forgetEmptyIndexes(
        progress: () throws(EngineError) -> Void = {}
    ) throws(EngineError) -> Int {
        guard !isReadOnly else { return 0 }
        var sweep = FieldIndexSweep(scheduler)
        return try sweep.run(progress) { (commit) throws(EngineError) in try commitAlone(progress, commit) }
    }

    /// Forgets collections without documents and automatic indexes without entries; see ``forgetEmptyCollections(progress:)``.
    package func forgetWhatIsEmpty(progress: () throws(EngineError) -> Void = {}) throws(EngineError) {
        try forgetEmptyCollections(progress: progress)
        try forgetEmptyIndexes(progress: progress)
    }

    /// Makes a commit that forgets, or returns false if somebody maintains the database.
    private func commitAlone(
        _ progress: () throws(EngineError) -> Void, _ commit: () throws(EngineError) -> Void
    ) throws(EngineError) -> Bool {
        let done: Void? = try environment.ifNobodyMaintains { () throws(EngineError) in
            // Whoever finds the lock taken relies on it.
            try build { (_) throws(EngineError) in try progress() }
            try commit()
        }
        return done != nil
    }
}

/// The names of the documents at and below a path, in slices. Each slice is a read transaction of its own.
struct NameSlices {
    private let engine: Engine
    /// The range of the remaining names; nil after the last slice.
    private var range: KeyRange?
    /// The number of collections opened for all slices so far.
    private(set) var seeks = 0

    /// Limits a commit's memory, as it holds the documents that it deletes.
    private static let countLimit = 1_000
    private static let byteLimit = 4 << 20

    init(_ engine: Engine, under root: ResourcePath) {
        self.engine = engine
        var encoder = KeyEncoder()
        encoder.append(segmentsOf: root)
        range = KeyRange(lower: encoder.bytes, upper: KeyRange.successor(of: encoder.bytes))
    }

    /// The next slice, or nil at the end.
    mutating func next() throws(EngineError) -> [DocumentPath]? {
        guard let range else { return nil }
        let (names, counters) = try engine.read { (transaction) throws(EngineError) in
            try NameSlices.read(engine, range, &transaction)
        }
        seeks += counters.seeks
        self.range = names.last.map {
            var encoder = KeyEncoder()
            encoder.append(path: $0.resource)
            return KeyRange(lower: KeyRange.successor(of: encoder.bytes), upper: range.upper)
        }
        return names.isEmpty ? nil : names
    }

    private static func read(
        _ engine: Engine, _ range: KeyRange, _ transaction: inout Transaction
    ) throws(EngineError) -> ([DocumentPath], ExecutionCounters) {
        let context = ExecutionContext(
            engine.ids, try engine.catalogs.read(&transaction))
        // Scans from the root, because only that scope contains the document at the path itself.
        let scan = DocumentScan(scope: .descendants(of: nil), ranges: [range], backwards: false)
        let rows = try CollectionWalkOperator(scan, context, &transaction)
        var names: [DocumentPath] = []
        while names.count < countLimit, context.counters.bytesRead < byteLimit, try rows.next(&transaction) {
            names.append(try context.record(of: rows, transaction).documentPath())
        }
        return (names, context.counters)
    }
}
