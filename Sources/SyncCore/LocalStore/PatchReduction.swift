// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What is left of a patch when a batch leaves the queue, as what is known of each field's writes tells it: no other batch is
/// read.
struct PatchReduction {
    /// Whether it is right only if no earlier batch writes the document.
    private(set) var isOfFirst = false
    private var values: Fields
    private var mask: [FieldPath] = []
    private var writes: [FieldWrites] = []
    let path: DocumentPath
    private let patch: Overlay
    private let batch: Int
    /// The server's version before and after the batch has left, and what the batch has made of the one before.
    private let versions: (old: SyncDocument, new: SyncDocument, written: SyncDocument)

    /// Nil if the other batches must be read.
    ///
    /// - Parameters:
    ///   - document: the document, with the server's version as it is now.
    ///   - old: the server's version as it was before.
    init?(of document: CachedDocument, without batch: MutationBatch, from old: SyncDocument) {
        guard let overlay = document.overlay, case .patch(let fields, let paths) = overlay.change,
            let known = overlay.writes, old.isFound, document.base.isFound,
            let gone = batch.fieldChanges(of: document.path)
        else { return nil }
        var written = old
        var changed = ChangedFields.nothing
        batch.applyLocally(to: &written, changing: &changed)
        path = document.path
        patch = overlay
        self.batch = batch.id
        versions = (old, document.base, written)
        values = fields
        for (path, field) in zip(paths, known) {
            guard take(path, field, isWritten: gone[path] != nil) else { return nil }
        }
    }

    /// Nil if the batches that are left change nothing.
    var overlay: Overlay? {
        guard !mask.isEmpty else { return nil }
        return Overlay(
            .patch(values.selecting(mask), mask: mask), batch: patch.batch, writes: writes,
            lastIncrement: patch.lastIncrement)
    }

    /// Returns whether it is known what becomes of the field.
    private mutating func take(_ path: FieldPath, _ known: FieldWrites, isWritten: Bool) -> Bool {
        var field = known
        if isWritten {
            field.count -= 1
            // The field is the server's again.
            if field.count == 0 { return true }
            // What an earlier batch has made of it may show again.
            if field.settled > 0, field.settled < batch { return false }
            if field.settled == batch, field.rest == .nothing { return false }
            if field.settled == batch { field.settled = 0 }
            if field.settled == 0 { isOfFirst = true }
        }
        if field.settled == 0, !build(path, field.rest, isWritten: isWritten) { return false }
        mask.append(path)
        writes.append(field)
        return true
    }

    /// Lets a value that builds on the server's one build on the new one. Returns whether it is known how.
    private mutating func build(_ path: FieldPath, _ rest: FieldWrites.Rest, isWritten: Bool) -> Bool {
        let new = versions.new.fields?[path]
        switch rest {
        case .nothing: return false
        case .timestamps:
            guard let value = values[path], let time = PendingTimestamp.writeTime(of: value) else { return false }
            values.set(PendingTimestamp.value(writtenAt: time, replacing: new), at: path)
            return true
        case .others:
            // It has been built on this value, so it stays as it is.
            let former = isWritten ? versions.written : versions.old
            return former.fields?[path].isSame(as: new) == true
        }
    }
}
