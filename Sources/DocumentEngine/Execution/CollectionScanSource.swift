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
        key.append(copying: cursor.rest(cursors))
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        var reader = KeyReader(cursor.rest(cursors))
        do throws(StoredFormatError) {
            return collection.document(try reader.segment())
        } catch {
            throw EngineError(error)
        }
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        let first = key.count
        key.append(copying: cursor.rest(cursors))
        guard backwards else { return }
        for index in first..<key.count { key[index] = ~key[index] }
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        environment.counters.documentsRead += 1
        environment.counters.bytesRead += cursor.value(cursors).byteCount
        return try Document(
            path(cursors), cursor.value(cursors), key: cursor.key(cursors), database: environment.database)
    }
}
