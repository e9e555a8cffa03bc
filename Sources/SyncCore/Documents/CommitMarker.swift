// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A document that a commit creates beside its writes, on the condition that it does not exist. So the server refuses a
/// second sending of the batch as a whole, and the document says that the first one was committed.
///
/// A marker is spent when its batch has left the queue. The next batch with a marker that is sent then deletes it, so an
/// idle client leaves those of its last commits, as many as were on their way together.
package struct CommitMarker: Sendable, Hashable {
    package let path: DocumentPath
    /// Whose batch it was. Security rules may let nobody else delete it.
    package let user: SyncUser

    package init(_ path: DocumentPath, of user: SyncUser) {
        self.path = path
        self.user = user
    }
}

extension MutationBatch {
    /// What the commit consists of. The writes come first, because results are matched by order.
    var sentWrites: [Write] {
        guard let marker else { return writes }
        let creation = Write(marker, .update(.empty, mask: nil, transforms: []), precondition: .exists(false))
        return writes + [creation] + spentMarkers.map { Write($0, .delete) }
    }
}

extension StoreTransaction {
    /// Lets a batch that is sent for the first time delete the markers that are spent.
    func giveSpentMarkers(to batch: inout MutationBatch) throws(ReplicaError) {
        guard batch.marker != nil else { return }
        var header = try records.header
        batch.spentMarkers = header.spentMarkers.filter { $0.user == user }.map(\.path)
        guard !batch.spentMarkers.isEmpty else { return }
        header.spentMarkers.removeAll { $0.user == user }
        try records.setHeader(header)
    }

    /// Notes markers that a later batch is to delete.
    func noteSpent(_ markers: [DocumentPath]) throws(ReplicaError) {
        guard !markers.isEmpty else { return }
        var header = try records.header
        header.spentMarkers += markers.map { CommitMarker($0, of: user) }
        try records.setHeader(header)
    }
}
