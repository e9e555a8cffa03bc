// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A time at which the replica had every document of the server's database, and no other. So it knows the rows that any
/// query had then, and a first listen goes on from them.
///
/// Afterwards, a document changes in the replica only to a later version: those of no later version are as they were. The
/// state is forgotten with the first document that is forgotten.
package struct WholeState: Sendable, Hashable {
    package let version: Timestamp
    /// Whether the replica has learned of a later version of any document.
    package var hasChanged: Bool

    package init(at version: Timestamp, hasChanged: Bool = false) {
        self.version = version
        self.hasChanged = hasChanged
    }
}

extension StoreTransaction {
    /// The documents that matched a query when the replica had the whole database, but for those that have changed since:
    /// the server sends them, or has none of them. Nil if they cannot be told.
    ///
    /// A change may have moved other documents into the first rows of a limit, or out of them, which the server does not
    /// say.
    func wholeKeys(of query: SyncQuery) throws(ReplicaError) -> (keys: Set<DocumentPath>, version: Timestamp)? {
        guard let whole = try records.header.whole else { return nil }
        let batches = try records.batches(of: records.header.user)
        guard query.limit == nil || !whole.hasChanged && batches.isEmpty else { return nil }
        var keys: Set<DocumentPath> = []
        for row in try records.rows(of: query) where !row.hasPendingWrites && row.version <= whole.version {
            keys.insert(row.path)
        }
        // What the program has written is not what the server had.
        for path in Set(batches.flatMap(\.paths)) {
            let base = try records.document(at: path).base
            guard base.version <= whole.version, query.sortKey(of: base) != nil else { continue }
            keys.insert(path)
        }
        return (keys, whole.version)
    }

    /// Notes that the replica knows another version of a document than when it had the whole database.
    func noteChange() throws(ReplicaError) {
        var header = try records.header
        guard header.whole?.hasChanged == false else { return }
        header.whole?.hasChanged = true
        try records.setHeader(header)
    }

    /// No first listen goes on from the whole database any more.
    func endWholeState() throws(ReplicaError) {
        var header = try records.header
        guard header.whole != nil else { return }
        header.whole = nil
        try records.setHeader(header)
    }

    /// Removes a document of which the replica shall know nothing any more.
    func forgetDocument(at path: DocumentPath) throws(ReplicaError) {
        try endWholeState()
        try records.removeDocument(at: path)
    }
}
