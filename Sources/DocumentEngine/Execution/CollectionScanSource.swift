// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The documents of one collection in the order of their IDs.
final class CollectionScanSource: RowSource {
    private let collection: CollectionPath
    private let collectionBytes: [UInt8]
    private let backwards: Bool
    private var cursor: RangeCursor
    private var isPlaced = false

    init(
        _ collection: CollectionPath, number: UInt64, _ cursor: RangeCursor, backwards: Bool,
        _ environment: SourceEnvironment
    ) {
        self.collection = collection
        collectionBytes = OrderedInteger.bytes(number)
        self.cursor = cursor
        self.backwards = backwards
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if !isPlaced { environment.counters.seeks += 1 }
        isPlaced = true
        guard try cursor.next(&cursors) else { return false }
        environment.counters.entriesScanned += 1
        return true
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        key += collectionBytes
        try cursor.withEntry(cursors) { (id, _) throws(EngineError) in key.append(copying: id) }
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try cursor.withEntry(cursors) { (id, _) throws(EngineError) in try collection.document(encodedID: id) }
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        collection
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        let first = key.count
        try cursor.withEntry(cursors) { (id, _) throws(EngineError) in key.append(copying: id) }
        guard backwards else { return }
        for index in first..<key.count { key[index] = ~key[index] }
    }

    override func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        try cursor.withWholeEntry(cursors) { (key, record) throws(EngineError) in
            try DocumentRecord(
                record, key, idOffset: collectionBytes.count, collection, database: environment.database)
        }
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        let path = try path(cursors)
        return try cursor.withWholeEntry(cursors) { (key, record) throws(EngineError) in
            environment.counters.documentsRead += 1
            environment.counters.bytesRead += record.byteCount
            return try Document(path, record, key: key, database: environment.database)
        }
    }
}

extension CollectionPath {
    /// The document whose encoded ID these bytes are.
    func document(encodedID: RawSpan) throws(EngineError) -> DocumentPath {
        var reader = KeyReader(encodedID)
        do throws(StoredFormatError) {
            return document(try reader.segment())
        } catch {
            throw EngineError(error)
        }
    }
}
