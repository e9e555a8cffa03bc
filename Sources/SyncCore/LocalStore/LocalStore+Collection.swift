// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Collection looks at no more uses than this at once, so that it does not take long.
    private static let mostUses = 1_000

    /// Forgets targets and documents that were used least recently, if the replica has at least `threshold` bytes.
    ///
    /// - Parameter percentile: which part of the uses to forget.
    func collect(threshold: Int, percentile: Int) throws(ReplicaError) {
        let active = Set(targets.keys)
        try write(.collectGarbage) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            guard try records.size >= threshold else { return }
            let uses = try records.uses().sorted()
            let count = min(uses.count * percentile / 100, LocalStore.mostUses)
            guard count > 0 else { return }
            let bound = uses[count - 1]
            for target in try records.targets(usedUpTo: bound) where !active.contains(target.id) {
                for path in try records.keys(of: target.id) { try records.setLastUse(target.sequence, of: path) }
                try records.removeTarget(target.id)
            }
            for path in try records.documents(usedUpTo: bound) where !pins.contains(path) {
                if try !records.isQueued(path) { try records.removeDocument(at: path) }
            }
        }
    }
}
