// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// The one change that turns the server's version of a document into the local one.
///
/// It is computed when a write is made, when a batch leaves the queue, and when the document begins or ceases to exist;
/// not for each version that the server sends. So a pending increment shows the sum that it was when it was written.
package struct Overlay: Sendable {
    package enum Change: Sendable {
        case set(Fields)
        /// The paths of the mask take their value from the fields; those without a value are deleted.
        case patch(Fields, mask: [FieldPath])
        case delete
    }

    package let change: Change
    /// The last batch that contributed.
    package let batch: Int

    package init(_ change: Change, batch: Int) {
        self.change = change
        self.batch = batch
    }

    /// Nil if `document` has no local change.
    init?(of document: SyncDocument, changed: ChangedFields, batch: Int) {
        guard document.hasLocalMutations else { return nil }
        switch changed {
        case .some(let paths) where paths.isEmpty: return nil
        case .some(let paths): change = Overlay.patch(of: document.fields ?? .empty, paths)
        case .whole: change = document.fields.map { .set($0) } ?? .delete
        }
        self.batch = batch
    }

    private static func patch(of fields: Fields, _ paths: [FieldPath]) -> Change {
        var values = Fields.empty
        var mask: [FieldPath] = []
        var masked: Set<FieldPath> = []
        for path in paths where !masked.contains(path) {
            var path = path
            // A deleted field whose map is gone too: the map is what the server must not bring back.
            if fields[path] == nil, path.segments.count > 1 { path = FieldPath(Array(path.segments.dropLast())) }
            values.set(fields[path], at: path)
            mask.append(path)
            masked.insert(path)
        }
        return .patch(values, mask: mask)
    }

    package var changedFields: ChangedFields {
        if case .patch(_, let mask) = change { .some(mask) } else { .whole }
    }

    /// The local document over this version of the server's.
    package func applied(to base: SyncDocument) -> SyncDocument {
        var document = base
        switch change {
        case .set(let fields): document.contents = .found(fields, createTime: base.createTime)
        case .patch(let fields, let mask):
            document.contents = .found(
                Fields.merged(base.fields, fields, mask: mask), createTime: base.createTime)
        case .delete: document.contents = .missing
        }
        document.version = .noVersion
        document.hasLocalMutations = true
        return document
    }
}

/// A document in the replica: what the server said, and the overlay of the current user's writes.
package struct CachedDocument: Sendable {
    package var base: SyncDocument
    package var overlay: Overlay?

    package init(base: SyncDocument, overlay: Overlay? = nil) {
        self.base = base
        self.overlay = overlay
    }

    package var path: DocumentPath { base.path }

    /// The document as the program sees it.
    package var local: SyncDocument { overlay?.applied(to: base) ?? base }

    /// Whether the replica can store the local document alone.
    package var isPlain: Bool { overlay == nil && !base.hasCommittedMutations && base.isFound }
}
