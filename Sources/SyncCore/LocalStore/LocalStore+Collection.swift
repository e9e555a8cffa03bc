// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension LocalStore {
    /// A collection forgets no more documents and targets than this at once, so that a write never waits long for it.
    fileprivate static let mostForgotten = 20
    private static let mostDroppedUses = 200

    /// Forgets targets and documents that were used least recently, if the replica has at least `threshold` bytes.
    ///
    /// - Parameter percentile: which part of the uses to forget.
    /// - Returns: whether anything was forgotten, so that more may be left to forget.
    func collect(threshold: Int, percentile: Int) throws(ReplicaError) -> Bool {
        try write(.collectGarbage) { (transaction: StoreTransaction) throws(ReplicaError) in
            let records = transaction.records
            guard percentile > 0, try records.size >= threshold else { return false }
            // Else each pass would step over the uses of all documents in targets, which may be the oldest.
            if try records.dropUsesInTargets(amongFirst: LocalStore.mostDroppedUses) { return true }
            let (active, pins) = try transaction.referencesOfAllClients(targets.keys, pins)
            var asked = LocalStore.mostForgotten * 100 / percentile
            var uses = try records.leastUses(asked)
            var count = min(max(uses.count * percentile / 100, 1), LocalStore.mostForgotten)
            while count <= uses.count {
                if try transaction.forget(count, usedUpTo: uses[count - 1], besides: active, pins) { return true }
                // All of these are needed. What may go was used later.
                if count == uses.count {
                    asked *= 4
                    uses = try records.leastUses(asked)
                    guard uses.count > count else { return false }
                }
                count = min(2 * count, uses.count)
            }
            return false
        }
    }
}

extension StoreTransaction {
    /// - Parameters:
    ///   - count: how many documents and targets to look at.
    ///   - active: the targets in use.
    /// - Returns: whether anything was forgotten.
    fileprivate func forget(
        _ count: Int, usedUpTo bound: Int, besides active: Set<Int>, _ pins: ReferenceSet
    ) throws(ReplicaError) -> Bool {
        var removals = LocalStore.mostForgotten
        var isAnyForgotten = false
        let limit = max(count, LocalStore.mostForgotten)
        for target in try records.targets(usedUpTo: bound, atMost: limit) where !active.contains(target.id) {
            guard removals > 0 else { return true }
            // One without documents takes time, too.
            removals -= max(try forget(target, atMost: removals), 1)
            isAnyForgotten = true
        }
        // Those of forgotten targets are among them now.
        for path in try records.documents(usedUpTo: bound, atMost: limit) where !pins.contains(path) {
            guard removals > 0 else { return true }
            guard try !records.isQueued(path) else { continue }
            try forgetDocument(at: path)
            removals -= 1
            isAnyForgotten = true
        }
        return isAnyForgotten
    }

    /// Removes the target, or `limit` documents of it: then no listen resumes from the rest.
    ///
    /// - Returns: how many documents it lost.
    private func forget(_ target: TargetData, atMost limit: Int) throws(ReplicaError) -> Int {
        let count = try forgetKeys(of: target, atMost: limit)
        if count < limit {
            try records.removeTarget(target.id)
        } else {
            var rest = target
            rest.distrust()
            try records.setTarget(rest)
        }
        return count
    }
}
