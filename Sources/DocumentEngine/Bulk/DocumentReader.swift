// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Reads the documents of collections in batches, each in a read of its own, so that no read is long: a long one would keep the
/// pages that writers give up from being used again.
struct DocumentReader {
    private let engine: Engine
    private var collections: ArraySlice<(path: CollectionPath, number: UInt64)>
    /// Where the collection's next document is at the earliest.
    private var from: [UInt8] = []

    private static let batchSize = 500

    /// - Parameter isWanted: whether a collection group is to be read.
    init(_ engine: Engine, where isWanted: (Text) -> Bool) throws(EngineError) {
        self.engine = engine
        collections = try engine.read { (cursors) throws(EngineError) in
            var list = try CollectionList(.descendants(of: nil), engine.stores, backwards: false, &cursors)
            var collections: [(path: CollectionPath, number: UInt64)] = []
            while let item = try list.next(&cursors) {
                let path = try CollectionPath(encoded: item.path)
                if isWanted(path.group) { collections.append((path, item.number)) }
            }
            return collections[...]
        }
    }

    /// The next documents; nil at the end.
    mutating func next() throws(EngineError) -> RecordBatch? {
        while let collection = collections.first {
            if from.isEmpty { from = OrderedInteger.bytes(collection.number) }
            let end = OrderedInteger.bytes(collection.number + 1)
            let (batch, after) = try engine.read { [from] (cursors) throws(EngineError) in
                try DocumentReader.read(engine.stores, collection, from, end, &cursors)
            }
            from = after ?? []
            if after == nil { collections.removeFirst() }
            if !batch.records.isEmpty { return batch }
        }
        return nil
    }

    private static func read(
        _ stores: Stores, _ collection: (path: CollectionPath, number: UInt64), _ from: [UInt8], _ end: [UInt8],
        _ cursors: inout CursorSet
    ) throws(EngineError) -> (RecordBatch, after: [UInt8]?) {
        var batch = RecordBatch(collection: collection.path, number: collection.number)
        var cursor = try KeyCursor(stores.keyed(stores.documents), &cursors)
        var after: [UInt8]?
        var isFound = try cursor.seek(from.span.bytes, &cursors)
        while isFound, cursor.key(cursors).compare(to: end) < 0 {
            if batch.records.entries.count == batchSize || batch.records.size > 4 << 20 {
                after = [UInt8](copying: cursor.key(cursors))
                break
            }
            batch.records.append(copying: cursor.key(cursors), cursor.value(cursors))
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
        return (batch, after)
    }
}
