// SPDX-License-Identifier: Apache-2.0

/// A change of one document, or a condition on it, within a commit (W-1).
package struct Write: Sendable {
    package enum Operation: Sendable {
        /// Without a mask, the fields replace the document (W-2). With a mask, masked paths in `fields` are set, masked
        /// paths that `fields` lacks are deleted, and everything else stays (W-3). Transforms follow, in order (W-4).
        case update(Fields, mask: [FieldPath]?, transforms: [FieldTransform])
        /// Deleting a missing document succeeds. Subcollections stay (W-7).
        case delete
        /// Changes nothing. Only the precondition counts.
        case verify

        package var isVerification: Bool { if case .verify = self { true } else { false } }
    }

    package var path: DocumentPath
    package var operation: Operation
    package var precondition: Precondition?

    package init(_ path: DocumentPath, _ operation: Operation, precondition: Precondition? = nil) {
        self.path = path
        self.operation = operation
        self.precondition = precondition
    }

    /// Whether the document must exist, or must not; nil if either will do.
    package var expectedExistence: Bool? {
        switch precondition {
        case nil: nil
        case .exists(let exists)?: exists
        case .updateTime?: true
        }
    }

    /// Replaces or creates a document.
    package static func set(_ path: DocumentPath, _ fields: Fields) -> Write {
        Write(path, .update(fields, mask: nil, transforms: []))
    }
}

/// A condition on a document without which the commit fails (W-15).
package enum Precondition: Sendable {
    case exists(Bool)
    case updateTime(Timestamp)
}

package struct WriteResult: Sendable {
    /// The time of the document's last change: the commit's time, or an earlier one if the write changed nothing (W-6).
    /// Nil for a delete.
    package let updateTime: Timestamp?
    /// One result for each transform, in order (W-22).
    package let transformResults: [Value]

    package init(updateTime: Timestamp?, transformResults: [Value]) {
        self.updateTime = updateTime
        self.transformResults = transformResults
    }
}

package struct CommitResult: Sendable {
    /// Later than every earlier commit.
    package let commitTime: Timestamp
    package let results: [WriteResult]

    package init(commitTime: Timestamp, results: [WriteResult]) {
        self.commitTime = commitTime
        self.results = results
    }
}
