// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel
package import SyncCore

/// Reading a replica beside its client, on any thread.
extension Engine {
    /// What is known of a document.
    package func cachedDocument(at path: DocumentPath) throws(ReplicaError) -> CachedDocument {
        try EngineRecords(self).document(at: path)
    }

    /// The document as the program sees it, or that it does not exist. Nil if it is not cached, and if the program has merged
    /// fields into a document of which it knows nothing else.
    package func wholeDocument(at path: DocumentPath) throws(ReplicaError) -> SyncDocument? {
        let cached = try cachedDocument(at: path)
        if cached.base.isWhole { return cached.local }
        // The queue is that of the same state: a write that joins it between two reads may decide over another one's part.
        let (current, batches) = try documentAndBatches(at: path)
        return current.base.isWhole || batches.contains { $0.decides(path) } ? current.local : nil
    }

    /// What is known of a document, and the shown user's batches that write it, of one state.
    private func documentAndBatches(
        at path: DocumentPath
    ) throws(ReplicaError) -> (document: CachedDocument, batches: [MutationBatch]) {
        let header = RecordKey.header.bytes
        let shadow = RecordKey.shadow(of: path).bytes
        let (document, records, listed) = try stored { () throws(EngineError) in
            try self.document(
                path, andRecords: [header, shadow], listedIn: KeyRange(prefix: RecordKey.batches(writing: path))
            ) { RecordKey.batch(writing: path, listedAs: $0) }
        }
        var user = SyncUser(nil)
        if let bytes = records[0] { user = try ReplicaHeader(RecordContent(bytes, key: header, database)).user }
        let group = RecordKey.batches(of: user)
        var batches: [MutationBatch] = []
        for (key, value) in listed where key.starts(with: group) {
            guard let value else { throw .damaged("the queue lacks a write of \(path)") }
            let number = try RecordContent.number(Array(key[group.count...]))
            batches.append(try MutationBatch(number, RecordContent(value, key: key, database)))
        }
        let content = try records[1].map { (bytes) throws(ReplicaError) in
            try RecordContent(bytes, key: shadow, database)
        }
        return (try CachedDocument(path, document, shadow: content), batches)
    }
}
