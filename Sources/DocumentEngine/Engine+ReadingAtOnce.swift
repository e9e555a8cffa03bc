// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

extension Engine {
    /// What `body` makes of the document that ``record(_:if:)`` finds, if finding it waits neither for the disk nor for another
    /// thread's work. Otherwise nil, and `body` does not run.
    ///
    /// For threads that must not block: those of Swift's cooperative pool. The first read of a collection may have to wait.
    package func recordAtOnce<R>(
        _ path: DocumentPath, _ body: (DocumentRecord?) -> R
    ) throws(EngineError) -> R? {
        try scheduler.storage.readAtOnce { (transaction) throws(EngineError) in
            guard let collectionID = try self.idTables.knownID(of: path.collection, transaction) else { return nil }
            let key = DocumentKey.bytes(of: path.id, in: collectionID)
            guard try transaction.isInMemory(key.span.bytes, in: .documents) else { return nil }
            return body(try self.record(path, at: key, transaction))
        }
    }
}
