// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import SyncCore

/// How often a server has committed the batches that write a log document, and what they make of the documents if each counts once.
///
/// A batch without increments may be committed again, as long as none with increments on its documents came between. Later ones on
/// its documents, whose answers were lost with its own, are undone by that: each is to be committed again, too, or to be refused.
struct CommitCounts {
    static let log = CollectionPath(ResourcePath(segments: ["log"]))

    private struct Batch {
        let paths: Set<DocumentPath>
        let increments: Bool
        let place: Int
        var count = 1
        var isUndone = false
    }

    /// By log document.
    private var batches: [DocumentPath: Batch] = [:]
    private var countedOnce: [DocumentPath: Fields] = [:]

    mutating func note(_ writes: [Write]) {
        guard let entry = CommitCounts.entry(of: writes) else { return }
        guard let known = batches[entry] else {
            batches[entry] = Batch(
                paths: Set(writes.map(\.path)), increments: writes.contains(where: CommitCounts.increments),
                place: batches.count)
            return apply(writes)
        }
        batches[entry]?.count += 1
        batches[entry]?.isUndone = false
        let later = batches.filter { $0.value.place > known.place && !$0.value.paths.isDisjoint(with: known.paths) }
        guard !known.increments, !later.values.contains(where: \.increments) else { return }
        apply(writes)
        for other in later.keys { batches[other]?.isUndone = true }
    }

    /// The program is told that the batch has failed.
    mutating func noteRefusal(of writes: [Write]) {
        if let entry = CommitCounts.entry(of: writes) { batches[entry]?.isUndone = false }
    }

    /// A document that is not what the batches make of it if each counts once, in the order in which they were committed, or a batch
    /// that was undone and is lost.
    func fault(in documents: [DocumentPath: SyncDocument], _ paths: [DocumentPath]) -> String? {
        for path in paths {
            let (found, wanted) = (documents[path]?.fields, countedOnce[path])
            let isSame = found.map { found in wanted.map(found.isIdentical(to:)) ?? false } ?? (wanted == nil)
            guard !isSame else { continue }
            let often = batches.values.sorted { $0.place < $1.place }.map(\.count)
            return "\(path) is \(String(describing: found)), not \(String(describing: wanted)); batches were committed "
                + "\(often) times"
        }
        return batches.first(where: \.value.isUndone).map { "\($0.key) was undone, not repeated, and not refused" }
    }

    private mutating func apply(_ writes: [Write]) {
        for write in writes { countedOnce[write.path] = ModelWrite.apply(write, to: countedOnce[write.path]) }
    }

    private static func entry(of writes: [Write]) -> DocumentPath? {
        writes.first { $0.path.collection == log }?.path
    }

    private static func increments(_ write: Write) -> Bool {
        guard case .update(_, _, let transforms) = write.operation else { return false }
        return transforms.contains { if case .increment = $0.operation { true } else { false } }
    }
}
