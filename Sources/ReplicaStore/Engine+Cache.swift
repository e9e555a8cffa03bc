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
        let records = try EngineRecords(self)
        let cached = try records.document(at: path)
        if cached.base.isWhole { return cached.local }
        let batches = try records.batches(writing: path, of: records.header.user)
        return batches.contains { $0.decides(path) } ? cached.local : nil
    }
}
