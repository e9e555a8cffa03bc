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
}
