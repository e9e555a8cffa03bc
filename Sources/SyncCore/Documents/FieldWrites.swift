// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// How the value that a field shows comes from what the batches of the queue do to it. So a batch can leave the queue without
/// a look at the others.
package struct FieldWrites: Sendable, Hashable {
    /// How many batches write the field.
    package var count: Int
    /// The last batch whose write gives the same whatever the field held before, while it is in the queue; 0 without one.
    package var settled: Int
    /// What the batches after that one do.
    package var rest: Rest

    package enum Rest: Int, Sendable, CaseIterable {
        case nothing
        /// They set server timestamps, which keep the value before all of them.
        case timestamps
        /// They may build on the value before.
        case others
    }

    enum Change {
        /// Gives the same whatever was before: the field is set, or an increment starts from the batch's own value.
        case settles
        case timestamp
        case builds
    }

    package init(count: Int = 0, settled: Int = 0, rest: Rest = .nothing) {
        self.count = count
        self.settled = settled
        self.rest = rest
    }

    mutating func add(_ change: Change, by batch: Int) {
        count += 1
        switch change {
        case .settles:
            settled = batch
            rest = .nothing
        case .timestamp: if rest == .nothing { rest = .timestamps }
        case .builds: rest = .others
        }
    }
}

extension MutationBatch {
    /// What the batch does to each field of a document that exists; nil if it may do anything else, or changes one twice.
    func fieldChanges(of path: DocumentPath) -> [FieldPath: FieldWrites.Change]? {
        var changes: [FieldPath: FieldWrites.Change] = [:]
        for write in writes where write.path == path {
            guard let own = write.fieldChanges else { return nil }
            for (field, change) in own {
                guard changes.updateValue(change, forKey: field) == nil else { return nil }
            }
        }
        return changes
    }

    func increments(_ path: DocumentPath) -> Bool { baseWrites.contains { $0.path == path } }
}

extension Write {
    fileprivate var fieldChanges: [(FieldPath, FieldWrites.Change)]? {
        switch (operation, precondition) {
        case (.update(_, let mask?, let transforms), nil), (.update(_, let mask?, let transforms), .exists(true)):
            let set = mask.map { ($0, FieldWrites.Change.settles) }
            return set + transforms.map { ($0.path, $0.change) }
        default: return nil
        }
    }
}

extension FieldTransform {
    fileprivate var change: FieldWrites.Change {
        switch operation {
        case .increment: .settles
        case .serverTimestamp: .timestamp
        case .maximum, .minimum, .appendMissingElements, .removeAllFromArray: .builds
        }
    }
}
