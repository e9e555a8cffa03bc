// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// What becomes of documents of which it is doubtful whether they match.
extension SyncMachine {
    func follow(_ change: View.LimboChange, of target: Int) {
        for path in change.added.inOrder { limbo.add(path, for: target) }
        for path in change.removed.inOrder {
            if let resolution = limbo.remove(path, for: target) { unwatch(resolution) }
        }
        resolveMoreLimbo()
    }

    func endLimbo(of target: Int) {
        for resolution in limbo.removeAll(of: target) { unwatch(resolution) }
        resolveMoreLimbo()
    }

    func resolveMoreLimbo() {
        while isOwner, let (target, path) = limbo.next() {
            watch(TargetData(SyncTarget(document: path), id: target, sequence: -1), isLimbo: true)
        }
    }
}

extension Set<DocumentPath> {
    fileprivate var inOrder: [DocumentPath] {
        sorted { ResourcePath.compare($0.resource, $1.resource) < 0 }
    }
}
