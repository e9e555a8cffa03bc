// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What happened to one document of a result.
package struct DocumentChange: Sendable {
    package enum Kind: Sendable, Hashable {
        case added, modified, removed
        /// Only whether the document has pending writes.
        case metadata
    }

    package let kind: Kind
    package let document: SyncDocument
}

/// The changes of a result, at most one for each document.
struct DocumentChangeSet {
    private var changes: [DocumentPath: DocumentChange] = [:]

    /// Combines the change with an earlier one of the document, as if both had been one.
    mutating func track(_ kind: DocumentChange.Kind, _ document: SyncDocument) {
        let merged: DocumentChange.Kind? =
            switch (changes[document.path]?.kind, kind) {
            case (nil, let new): new
            case (.removed?, .added): .modified
            case (.added?, .removed): nil
            case (.added?, _): .added
            case (.modified?, .metadata): .modified
            case (_, let new): new
            }
        changes[document.path] = merged.map { DocumentChange(kind: $0, document: document) }
    }

    /// Removals, then additions, then the rest; each in no particular order.
    var unordered: [DocumentChange] { Array(changes.values) }
}

extension DocumentChange.Kind {
    /// Where a change stands among those of one event.
    var rank: Int {
        switch self {
        case .removed: 0
        case .added: 1
        case .modified, .metadata: 2
        }
    }
}
