// SPDX-License-Identifier: Apache-2.0

/// How a document changed between two snapshots of a query.
public enum DocumentChangeType: Int, Sendable, Hashable {
    /// It entered the result.
    case added
    /// It stayed in the result, and its data or its position changed.
    case modified
    /// It left the result: it was deleted, no longer matches, or was pushed out by a limit.
    case removed
}

/// A document that entered, changed in or left the result of a query.
///
/// Both indexes are positions while the changes of a snapshot are applied one after another: remove the document at
/// ``oldIndex``, then insert the new one at ``newIndex``.
public struct DocumentChange: Sendable, Hashable {
    /// How the document changed.
    public let type: DocumentChangeType
    /// The document after the change; for a removed one, before it.
    public let document: QueryDocumentSnapshot
    /// The position just before this change; `UInt(NSNotFound)` for an added document.
    public let oldIndex: UInt
    /// The position just after this change; `UInt(NSNotFound)` for a removed document.
    public let newIndex: UInt
    /// Whether the document was modified and its data is as it was. Then it is where it was.
    let isOfMetadataAlone: Bool

    /// The value of Foundation's `UInt(NSNotFound)`.
    private static let notFound = UInt(Int.max)

    init(
        _ type: DocumentChangeType, _ document: QueryDocumentSnapshot, from oldIndex: Int?, to newIndex: Int?,
        isOfMetadataAlone: Bool = false
    ) {
        self.isOfMetadataAlone = isOfMetadataAlone
        self.type = type
        self.document = document
        self.oldIndex = oldIndex.map { UInt($0) } ?? DocumentChange.notFound
        self.newIndex = newIndex.map { UInt($0) } ?? DocumentChange.notFound
    }
}
