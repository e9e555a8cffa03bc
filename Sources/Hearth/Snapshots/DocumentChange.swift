// SPDX-License-Identifier: Apache-2.0

/// What became of a document between two snapshots of a query (C-15).
public enum DocumentChangeType: Int, Sendable, Hashable {
    /// It entered the result.
    case added
    /// It was in the result before, and something in it changed, perhaps its place.
    case modified
    /// It left the result: it was deleted, does not match any more, or was pushed out by a limit.
    case removed
}

/// A document that entered, changed in or left the result of a query.
///
/// The indexes are positions while the changes of a snapshot are applied one after another: take the document at ``oldIndex``
/// out, then put the new one in at ``newIndex``.
public struct DocumentChange: Sendable, Equatable {
    /// What became of it.
    public let type: DocumentChangeType
    /// The document as it is now; a removed one as it was.
    public let document: QueryDocumentSnapshot
    /// Where it was, just before this change; `UInt(NSNotFound)` for an added one.
    public let oldIndex: UInt
    /// Where it is, just after this change; `UInt(NSNotFound)` for a removed one.
    public let newIndex: UInt

    /// What `UInt(NSNotFound)` is in Foundation.
    private static let notFound = UInt(Int.max)

    init(_ type: DocumentChangeType, _ document: QueryDocumentSnapshot, from oldIndex: Int?, to newIndex: Int?) {
        self.type = type
        self.document = document
        self.oldIndex = oldIndex.map { UInt($0) } ?? DocumentChange.notFound
        self.newIndex = newIndex.map { UInt($0) } ?? DocumentChange.notFound
    }
}
