// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The batches of a document after one that has left the queue, read from the last one back until they change all that it has
/// changed. What they were made on does not matter then, and the overlay is right as it is.
struct LaterBatches {
    /// The numbers of those to be read next; nil if no more are needed.
    private(set) var next: Range<Int>?
    /// Those that were read, in ascending order.
    private(set) var batches: [MutationBatch] = []
    /// Those with this number and greater ones were read.
    private(set) var start = Int.max
    private let path: DocumentPath
    /// The first number after the batch's.
    private let first: Int
    /// The fields that the batch has changed, and none of those that were read; nil if it has, or may have, done anything else.
    private var missing: Set<FieldPath>?
    private var verdict: Bool?

    /// - Parameters:
    ///   - batch: the one that has left.
    ///   - existed: whether the server's version existed when it was queued.
    init(of document: CachedDocument, without batch: MutationBatch, existed: Bool) {
        path = document.path
        first = batch.id + 1
        guard let overlay = document.overlay, overlay.batch >= first else { return }
        next = overlay.batch..<Int.max
        guard case .patch(let values, _) = overlay.change, existed, document.base.isFound,
            let fields = batch.patchedFields(of: path, by: { _ in true })?.all,
            !fields.contains(where: { values.hasTimestamp(around: $0) })
        else { return }
        missing = fields
    }

    /// Whether the overlay of all batches is that of the batches that are left.
    var areEnough: Bool { verdict == true }

    /// Takes the batches with the numbers of ``next``. Each time as many numbers are looked at as before together, so that a few
    /// more batches are read than needed, and few times.
    mutating func take(_ found: [MutationBatch]) {
        guard let numbers = next else { return }
        start = numbers.lowerBound
        batches.insert(contentsOf: found, at: 0)
        // An overlay whose last batch is gone is not right.
        if batches.isEmpty { verdict = false }
        for batch in found.reversed() where verdict == nil { look(at: batch) }
        let rest = verdict == nil ? first..<start : first..<first
        next = rest.isEmpty ? nil : rest.suffix(batches.last!.id - start + 1)
    }

    private mutating func look(at batch: MutationBatch) {
        if batch.replaces(path) { return verdict = true }
        guard let missing, let changed = batch.patchedFields(of: path, by: \.isIncrement) else {
            return verdict = false
        }
        let left = missing.subtracting(changed.all.subtracting(changed.deleted))
        self.missing = left
        if left.isEmpty { verdict = true }
    }
}

extension MutationBatch {
    /// Whether the document is what this batch makes of it, whatever was before.
    fileprivate func replaces(_ path: DocumentPath) -> Bool {
        let own = writes.filter { $0.path == path }
        return own.contains(where: \.replacesDocument) && own.allSatisfy { !$0.hasTransforms }
    }

    /// The fields that the batch changes in a document that exists, and those of maps that it may delete: of a map that only an
    /// earlier batch has made it deletes nothing. Nil if it may do anything else.
    ///
    /// - Parameter allows: which transforms it may have. Increments start from the batch's own values, whatever was before.
    fileprivate func patchedFields(
        of path: DocumentPath, by allows: (FieldTransform) -> Bool
    ) -> (all: Set<FieldPath>, deleted: Set<FieldPath>)? {
        var (all, deleted) = (Set<FieldPath>(), Set<FieldPath>())
        for write in writes where write.path == path {
            switch (write.operation, write.precondition) {
            case (.update(let fields, let mask?, let transforms), nil),
                (.update(let fields, let mask?, let transforms), .exists(true)):
                guard transforms.allSatisfy(allows) else { return nil }
                all.formUnion(mask + transforms.map(\.path))
                deleted.formUnion(mask.lazy.filter { $0.segments.count > 1 && fields[$0] == nil })
            default: return nil
            }
        }
        return (all, deleted)
    }
}

extension Fields {
    /// Whether a map on the way to the path is a pending timestamp, which keeps what was there before it.
    fileprivate func hasTimestamp(around path: FieldPath) -> Bool {
        path.segments.indices.dropFirst().contains { count in
            self[FieldPath(Array(path.segments.prefix(count)))].flatMap(PendingTimestamp.writeTime) != nil
        }
    }
}

extension Write {
    fileprivate var hasTransforms: Bool {
        if case .update(_, _, let transforms) = operation { !transforms.isEmpty } else { false }
    }
}

extension FieldTransform {
    fileprivate var isIncrement: Bool { if case .increment = operation { true } else { false } }
}
