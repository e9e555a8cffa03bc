// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Reads the documents of collections in batches. Each batch is a short read of its own, because a long read keeps LMDB
/// from reusing the pages that writers free.
struct DocumentReader {
    private let scheduler: TransactionScheduler
    private var collections: ArraySlice<(path: CollectionPath, id: UInt64)>
    /// Those of the first of the collections, once it is begun.
    private var slices: EntrySlices?

    /// - Parameter isWanted: whether to read a collection group.
    init(_ scheduler: TransactionScheduler, where isWanted: (Text) -> Bool) throws(EngineError) {
        self.scheduler = scheduler
        collections = try scheduler.read { (transaction) throws(EngineError) in
            var list = try CollectionList(.descendants(of: nil), backwards: false, &transaction)
            var collections: [(path: CollectionPath, id: UInt64)] = []
            while let item = try list.next(&transaction) {
                let path = try CollectionPath(encoded: item.path)
                if isWanted(path.group) { collections.append((path, item.collectionID)) }
            }
            return collections[...]
        }
    }

    /// The next documents, or nil at the end.
    mutating func next() throws(EngineError) -> RecordBatch? {
        while let collection = collections.first {
            var slices = self.slices ?? EntrySlices(KeyRange(id: collection.id), of: .documents)
            let slice = try scheduler.read { (transaction) throws(EngineError) in try slices.next(&transaction) }
            self.slices = slices
            if let slice, !slice.isEmpty {
                return RecordBatch(collection: collection.path, collectionID: collection.id, records: slice)
            }
            if slice == nil {
                collections.removeFirst()
                self.slices = nil
            }
        }
        return nil
    }
}
