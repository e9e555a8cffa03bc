// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// Collection looks at no more uses than this at once, so that it does not take long.
    private static let mostUses = 1_000

    /// Forgets targets and documents that were used least recently, if the replica has at least `threshold` bytes.
    ///
    /// - Parameter percentile: which part of the uses to forget.
    /// - Returns: whether anything was forgotten, so that more may be left to forget.
    func collect(threshold: Int, percentile: Int) throws(ReplicaError) -> Bool {
        let active = Set(targets.keys)
        return try write(.collectGarbage) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            guard percentile > 0, try records.size >= threshold else { return false }
            let uses = try records.leastUses(LocalStore.mostUses * 100 / percentile)
            var count = min(max(uses.count * percentile / 100, 1), LocalStore.mostUses)
            while count <= uses.count {
                if try transaction.forget(usedUpTo: uses[count - 1], besides: active, pins) { return true }
                // All of these are needed. What may go was used later.
                count = count < uses.count ? min(2 * count, uses.count) : .max
            }
            return false
        }
    }
}

extension StoreTransaction {
    /// - Parameter active: the targets in use.
    fileprivate func forget(
        usedUpTo bound: Int, besides active: Set<Int>, _ pins: ReferenceSet
    ) throws(ReplicaError) -> Bool {
        var isAnyForgotten = false
        for target in try records.targets(usedUpTo: bound) where !active.contains(target.id) && !target.isPinned {
            try forget(target)
            isAnyForgotten = true
        }
        for path in try records.documents(usedUpTo: bound) where !pins.contains(path) {
            guard try !records.isQueued(path) else { continue }
            try forgetDocument(at: path)
            isAnyForgotten = true
        }
        return isAnyForgotten
    }
}
