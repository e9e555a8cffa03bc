// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A stream of documents' names in an order, from an access path. Subclasses are the access paths.
///
/// A class, so that a step is one call that neither copies nor counts references.
class RowSource {
    let environment: SourceEnvironment
    /// How many entries the source may still refuse before it pauses: a call of `next` is then false though there may be rows.
    final var patience = Int.max

    init(_ environment: SourceEnvironment) {
        self.environment = environment
    }

    final var isPaused: Bool { patience <= 0 }

    /// Moves to the first or following row; false past the last, and where the source pauses.
    @_lifetime(cursors: copy cursors)
    func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool { false }

    /// Moves past rows, at most `limit` of them, and says how many those were.
    @_lifetime(cursors: copy cursors)
    func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) { count += 1 }
        return count
    }

    /// The key of the row's document in the documents store.
    func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {}

    /// The path of the row's document.
    func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        preconditionFailure("every access path tells the paths of its rows")
    }

    /// The collection of the row's document.
    func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        try path(cursors).collection
    }

    /// The row's place in the query's order, as bytes that compare as rows do.
    func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {}

    /// The number under a field path, as the row's entry holds it; nil for another type. For aggregations.
    func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? { nil }

    /// Adds the numbers under a field path of all further rows, and says how many rows those were.
    @_lifetime(cursors: copy cursors)
    func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var count = 0
        while try next(&cursors) {
            sum.add(try number(at: path, cursors))
            count += 1
        }
        return count
    }

    /// The vector under a field path, if it has this dimension. For vector searches.
    func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? { nil }

    /// The row's document as a record, if the row comes with it.
    func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? { nil }

    /// Reads the documents of all further rows, at most `limit` of them, and says how many those were.
    @_lifetime(cursors: copy cursors)
    final func read(
        atMost limit: Int, with reader: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        let count: Int
        do throws(EngineError) {
            count = try addRows(atMost: limit, to: &reader, &cursors)
        } catch {
            // What is wrong with an earlier row is told first.
            try reader.finish(cursors)
            throw error
        }
        try reader.finish(cursors)
        return count
    }

    /// Hands further rows to a reader, at most `limit` of them, and says how many those were.
    @_lifetime(cursors: copy cursors)
    func addRows(
        atMost limit: Int, to reader: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var count = 0
        while count < limit, try next(&cursors) {
            count += 1
            if let record = try record(cursors) {
                try reader.append(record, cursors)
            } else {
                let start = reader.batch.keys.count
                try appendDocumentKey(to: &reader.batch.keys, cursors)
                let collection = try collection(cursors)
                let end = reader.batch.keys.count
                try environment.requireNumber(
                    of: collection, in: reader.batch.keys.span.bytes.extracting(start..<end), cursors)
                reader.enter(collection)
                try reader.endRow(cursors)
            }
        }
        return count
    }

    /// That the row's document does not exist.
    final func missing(_ cursors: borrowing CursorSet) throws(EngineError) -> EngineError {
        .damaged("an index entry names \(try path(cursors)), which does not exist")
    }

    /// Whether the row comes with its document, so that reading it again would be a waste.
    func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? { nil }
}

/// What every source of an execution shares.
final class SourceEnvironment {
    let stores: Stores
    let numbers: Numbers
    let catalog: CatalogSnapshot
    let database: DatabaseID
    /// Whether entries are visited as production visits them, so that the counters are its own.
    let asProduction: Bool
    var counters = ExecutionCounters()

    init(
        _ stores: Stores, _ numbers: Numbers, _ catalog: CatalogSnapshot, _ database: DatabaseID,
        asProduction: Bool = false
    ) {
        self.stores = stores
        self.numbers = numbers
        self.catalog = catalog
        self.database = database
        self.asProduction = asProduction
    }

    /// The documents of a source's rows, at most `limit` of them, as records.
    @_lifetime(cursors: copy cursors)
    func records(
        of source: RowSource, limit: Int?, _ cursors: inout CursorSet
    ) throws(EngineError) -> [DocumentRecord] {
        var reader = RecordReader(stores, database, count: limit ?? 0)
        _ = try source.read(atMost: limit ?? .max, with: &reader, &cursors)
        return reader.records
    }

    /// The document of a source's row.
    func document(of source: RowSource, _ cursors: borrowing CursorSet) throws(EngineError) -> Document {
        if let delivered = try source.document(cursors) { return delivered }
        var key: [UInt8] = []
        try source.appendDocumentKey(to: &key, cursors)
        let path = try source.path(cursors)
        try requireNumber(of: path.collection, in: key.span.bytes, cursors)
        guard let record = try stores.keyed(stores.documents).get(cursors, key.span.bytes) else {
            throw try source.missing(cursors)
        }
        counters.documentsRead += 1
        counters.bytesRead += record.byteCount
        return try Document(path, record, key: key.span.bytes, database: database)
    }

    /// That a document's key begins with the number of the collection under whose name it is delivered. An entry in group
    /// scope has both, the name in its key and the number in its value, and no checksum of its own.
    func requireNumber(
        of collection: CollectionPath, in key: RawSpan, _ cursors: borrowing CursorSet
    ) throws(EngineError) {
        guard try numbers.collection(collection, cursors) == OrderedInteger.read(key) else {
            throw .damaged("an index entry has a name in \(collection) and the number of another collection")
        }
    }
}
