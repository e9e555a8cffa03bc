// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// One change of a document, or one demand on it, within a commit (W-1).
package struct Write: Sendable {
    package enum Operation: Sendable {
        /// Without a mask the fields replace the document (W-2). With one, masked paths that `fields` holds are set, masked
        /// paths that it lacks are deleted, everything else stays (W-3). Then come the transforms, in order (W-4).
        case update(Fields, mask: [FieldPath]?, transforms: [FieldTransform])
        /// Deleting what is missing succeeds; subcollections stay (W-7).
        case delete
        /// Changes nothing: only the precondition counts.
        case verify
    }

    package var path: DocumentPath
    package var operation: Operation
    package var precondition: Precondition?

    package init(_ path: DocumentPath, _ operation: Operation, precondition: Precondition? = nil) {
        self.path = path
        self.operation = operation
        self.precondition = precondition
    }

    /// Replaces or creates a document.
    package static func set(_ path: DocumentPath, _ fields: Fields) -> Write {
        Write(path, .update(fields, mask: nil, transforms: []))
    }
}

/// What must hold of a document for a commit to happen (W-15).
package enum Precondition: Sendable {
    case exists(Bool)
    case updateTime(Timestamp)
}

/// What became of one write.
package struct WriteResult: Sendable {
    /// When the document last changed: the commit's time, or an earlier one if the write changed nothing (W-6). Nil for a delete.
    package let updateTime: Timestamp?
    /// One for each transform, in order (W-22).
    package let transformResults: [Value]
}

package struct CommitResult: Sendable {
    /// Later than every commit before it.
    package let commitTime: Timestamp
    package let results: [WriteResult]
}
