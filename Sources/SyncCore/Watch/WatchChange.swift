// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A message of the server's listen stream. Targets have the numbers of the requests that added them.
package enum WatchChange: Sendable {
    case target(TargetChangeKind, targets: [Int], resumeToken: [UInt8], readTime: Timestamp?)
    /// The server ended the targets and says why.
    case targetsRejected([Int], SyncError)
    /// The document's contents; it matches `updated` and has ceased to match `removed`.
    case document(SyncDocument, updated: [Int], removed: [Int])
    /// The document does not exist. The read time may be missing.
    case deletion(DocumentPath, readTime: Timestamp?, removed: [Int])
    /// The document has ceased to match; what became of it is unknown.
    case removal(DocumentPath, removed: [Int])
    case existenceFilter(ExistenceFilter, target: Int)
}

package enum TargetChangeKind: Sendable {
    /// With a read time and without targets, all that was sent before is one consistent state.
    case none
    case added
    case removed
    case current
    case reset
}

/// How many documents match a target, by which the client recognises that it has missed a removal.
package struct ExistenceFilter: Sendable {
    package let count: Int
    /// The names of the documents that have not changed; nil if the server sent none, or an invalid one.
    package let unchangedNames: BloomFilter?

    package init(count: Int, unchangedNames: BloomFilter?) {
        self.count = count
        self.unchangedNames = unchangedNames
    }
}

/// A request on the listen stream.
package enum WatchRequest: Sendable {
    case add(ListenRequest)
    case remove(wireID: Int)
}

/// Asks the server to listen to a target.
package struct ListenRequest: Sendable {
    package let target: SyncTarget
    /// A number that no earlier request of this client had.
    package let wireID: Int
    /// The number by which the client knows the target.
    package let targetID: Int
    package let resumeToken: [UInt8]
    /// Instead of a token that is missing.
    package let readTime: Timestamp?
    /// How many documents the client has of the target, if it resumes.
    package let expectedCount: Int?
    package let purpose: ListenPurpose
}

/// Why a target is listened to. The server is told by the label `goog-listen-tags`.
package enum ListenPurpose: Sendable, Hashable {
    case listen
    /// The count of documents was wrong, and no bloom filter could tell which.
    case existenceFilterMismatch
    /// A bloom filter told too few of those missing.
    case existenceFilterMismatchBloom
    /// One document that a view shows and its target does not.
    case limboResolution

    package var label: String? {
        switch self {
        case .listen: nil
        case .existenceFilterMismatch: "existence-filter-mismatch"
        case .existenceFilterMismatchBloom: "existence-filter-mismatch-bloom"
        case .limboResolution: "limbo-document"
        }
    }
}
