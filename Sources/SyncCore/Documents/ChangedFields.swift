// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The fields that local writes have changed in a document.
package struct ChangedFields: Sendable {
    /// Whether the document was replaced or deleted.
    private(set) var isWhole = false
    /// In the order of their first writes, unless the document was replaced or deleted.
    private(set) var paths: [FieldPath] = []
    /// What batches do to each of the paths; nil if it is not known.
    private(set) var writes: [FieldWrites]? = []
    /// The last batch with an increment, 0 without one; nil if it is not known.
    private(set) var lastIncrement: Int? = 0
    private var places: [FieldPath: Int] = [:]

    package static let nothing = ChangedFields()
    package static let whole: ChangedFields = {
        var changed = ChangedFields()
        changed.becomeWhole()
        return changed
    }()

    private init() {}

    /// The fields that the overlay of a document changes, and what is known of them for more writes.
    init(of document: CachedDocument) {
        if let overlay = document.overlay {
            lastIncrement = overlay.lastIncrement
            if case .patch(_, let mask) = overlay.change {
                formUnion(mask)
                writes = overlay.writes
            } else {
                becomeWhole()
            }
        }
        if !document.base.isCached { becomeWhole() }
        // Conditions of batches that have changed nothing may have failed.
        if !document.base.isFound { writes = nil }
    }

    mutating func becomeWhole() {
        isWhole = true
        paths = []
        places = [:]
        writes = nil
    }

    mutating func formUnion(_ more: [FieldPath]) {
        guard !isWhole else { return }
        for path in more where places[path] == nil {
            places[path] = paths.count
            paths.append(path)
            writes?.append(FieldWrites())
        }
    }

    /// Notes what a batch does, after its fields were added.
    mutating func note(_ batch: MutationBatch, at path: DocumentPath) {
        if lastIncrement != nil, batch.increments(path) { lastIncrement = batch.id }
        guard writes != nil else { return }
        guard let changes = batch.fieldChanges(of: path) else { return writes = nil }
        for (field, change) in changes {
            // A write whose condition has failed has added nothing.
            guard let place = places[field] else { return writes = nil }
            writes![place].add(change, by: batch.id)
        }
    }
}
