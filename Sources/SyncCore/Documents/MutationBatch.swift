// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Writes of one call, which reach the server as one commit.
package struct MutationBatch: Sendable {
    /// Ascending over all users of a replica. No number is used twice.
    package let id: Int
    package let localWriteTime: Timestamp
    /// The values that increments had started from, so that applying the batch again gives the same sums.
    package private(set) var baseWrites: [Write]
    package let writes: [Write]
    /// How often the batch was sent. Counted before it is sent, so the last attempt may not have been made.
    package var attempts: Int
    /// The document that the commit creates beside the writes, if it must not happen twice. See ``CommitMarker``.
    package let marker: DocumentPath?
    /// Markers of earlier commits, which this one deletes. Chosen before the batch is sent first.
    package var spentMarkers: [DocumentPath]

    package init(
        id: Int, localWriteTime: Timestamp, baseWrites: [Write], writes: [Write], attempts: Int = 0,
        marker: DocumentPath? = nil, spentMarkers: [DocumentPath] = []
    ) {
        self.id = id
        self.localWriteTime = localWriteTime
        self.baseWrites = baseWrites
        self.writes = writes
        self.attempts = attempts
        self.marker = marker
        self.spentMarkers = spentMarkers
    }

    package var paths: Set<DocumentPath> { Set(writes.map(\.path)) }

    /// Lets the increments of a document start from these values. Returns whether there are any.
    mutating func startIncrements(from document: SyncDocument) -> Bool {
        guard baseWrites.contains(where: { $0.path == document.path }) else { return false }
        baseWrites.removeAll { $0.path == document.path }
        baseWrites += writes.filter { $0.path == document.path }.compactMap { $0.baseWrite(on: document) }
        return true
    }

    /// Whether the batch says all that is in the document, whatever was there before.
    package func decides(_ path: DocumentPath) -> Bool {
        writes.contains { $0.path == path && $0.replacesDocument }
    }

    /// Applies what concerns this document.
    package func applyLocally(to document: inout SyncDocument, changing fields: inout ChangedFields) {
        for write in baseWrites + writes where write.path == document.path {
            write.applyLocally(to: &document, changing: &fields, at: localWriteTime)
        }
        fields.note(self, at: document.path)
    }

    /// Applies what the server has committed of this document.
    func applyCommitted(to document: inout SyncDocument, _ commit: CommitResult) {
        for (write, result) in zip(writes, commit.results) where write.path == document.path {
            write.applyCommitted(to: &document, result, commitTime: commit.commitTime)
        }
    }
}
