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
    /// The last batch that contributed, even if it was cancelled since.
    package let batch: Int
    /// What batches do to each path of a patch's mask; nil if it is not known, or if one of the paths leads through another.
    package private(set) var writes: [FieldWrites]?
    /// A number that no batch of the queue with an increment of the document exceeds; nil if it is not known.
    package let lastIncrement: Int?

    package init(_ change: Change, batch: Int, writes: [FieldWrites]? = nil, lastIncrement: Int? = nil) {
        self.change = change
        self.batch = batch
        self.writes = writes
        self.lastIncrement = lastIncrement
    }

    /// Nil if `document` has no local change.
    init?(of document: SyncDocument, changed: ChangedFields, batch: Int) {
        guard document.hasLocalMutations else { return nil }
        self.batch = batch
        lastIncrement = changed.lastIncrement
        if changed.isWhole {
            change = document.fields.map { .set($0) } ?? .delete
            return
        }
        guard !changed.paths.isEmpty else { return nil }
        let patch = Overlay.patch(of: document.fields ?? .empty, changed.paths)
        change = patch.change
        if let known = changed.writes, patch.mask == changed.paths, patch.mask.areApart { writes = known }
    }

    private static func patch(of fields: Fields, _ paths: [FieldPath]) -> (change: Change, mask: [FieldPath]) {
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
        return (.patch(values, mask: mask), mask)
    }

    /// Whether a batch with a greater number may have an increment of the document.
    func mayIncrement(after batch: Int) -> Bool { lastIncrement.map { $0 > batch } ?? true }

    /// The server has sent another version of the document, over which the overlay stays as it is. If a change builds on a field
    /// that is another one now, batches that leave the queue do not leave it as it is without a look at the others.
    mutating func noteVersion(_ new: SyncDocument, after old: SyncDocument) {
        guard let known = writes, case .patch(_, let mask) = change else { return }
        for (path, field) in zip(mask, known) where field.settled == 0 && field.rest == .others {
            guard old.fields?[path].isSame(as: new.fields?[path]) == true else { return writes = nil }
        }
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

extension [FieldPath] {
    /// Whether none of the paths, no two of which are the same, leads through another one.
    fileprivate var areApart: Bool {
        if allSatisfy({ $0.segments.count == 1 }) { return true }
        let sorted = sorted()
        return zip(sorted, sorted.dropFirst()).allSatisfy { !$0.isPrefix(of: $1) }
    }
}

extension Value? {
    /// Whether both have the same stored form, or neither is there.
    func isSame(as other: Value?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isIdentical(to: other)
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
