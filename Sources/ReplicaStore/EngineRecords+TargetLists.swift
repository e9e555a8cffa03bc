// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import SyncCore

// Lists in which targets are found otherwise than by their numbers. An older program leaves them as they are while it changes
// targets, and writes the header without the mark that says that they are right. Then they are made anew for whoever needs
// them next.
extension EngineRecords {
    func targets(thatMayCover target: SyncTarget) throws(ReplicaError) -> [TargetData] {
        try listTargets()
        var targets: [TargetData] = []
        for coverage in target.widerCoverages {
            let group = RecordKey.coveringTargets(coverage.collections)
            for id in try listed(in: group, below: [], coverage.filters[...]) {
                if let target = try self.target(id) { targets.append(target) }
            }
        }
        return targets
    }

    /// The numbers of the targets that are listed with the filters of a node, and with no others but some of these.
    private func listed(
        in group: [UInt8], below node: [UInt8], _ filters: ArraySlice<UInt64>
    ) throws(ReplicaError) -> [Int] {
        let leaves = node + RecordKey.endOfFilters
        var ids: [Int] = []
        for record in try records(of: group, from: leaves, upTo: KeyRange.successor(of: leaves)) {
            ids.append(try RecordContent.number(Array(record.member[leaves.count...])))
        }
        for index in filters.indices {
            let next = node + RecordKey.filter(filters[index])
            // Most have no targets, and then none of their combinations with others is looked for.
            let first = try records(of: group, from: next, upTo: KeyRange.successor(of: next), limit: 1)
            if !first.isEmpty { ids += try listed(in: group, below: next, filters[(index + 1)...]) }
        }
        return ids
    }

    func targets(usedUpTo sequence: Int, atMost limit: Int) throws(ReplicaError) -> [TargetData] {
        var targets: [TargetData] = []
        for use in try targetUses(upTo: sequence, atMost: limit) {
            if let target = try target(use.id) { targets.append(target) }
        }
        return targets
    }

    /// The first last uses of targets that are not pinned, in order.
    func targetUses(
        upTo last: Int? = nil, atMost limit: Int
    ) throws(ReplicaError) -> [(sequence: Int, id: Int)] {
        try listTargets()
        let end = last.map { RecordKey.number($0 + 1) }
        return try records(of: RecordKey.targetUses, upTo: end, limit: limit).map { (record) throws(ReplicaError) in
            try RecordContent.targetUse(record.member)
        }
    }

    // MARK: Keeping the lists

    /// Lists a target as it is about to be stored.
    func relist(_ target: TargetData) throws(ReplicaError) {
        guard let old = try content(at: .target(target.id)) else { return list(target) }
        // A number has one query for ever, so only the use is another one.
        try remove(.use(old.lastUse(), ofTarget: target.id))
        if let use = RecordKey.use(of: target) { insert(use) }
    }

    private func list(_ target: TargetData) {
        for key in RecordKey.lists(of: target) { insert(key) }
    }

    func unlist(_ target: TargetData) {
        for key in RecordKey.lists(of: target) { remove(key) }
    }

    /// Reads all targets, but only if the lists are not right.
    private func listTargets() throws(ReplicaError) {
        guard !areTargetsListed else { return }
        for kind in [RecordKey.coveringTargets, RecordKey.targetUses] {
            let range = KeyRange(prefix: kind)
            for record in try stored({ () throws(EngineError) in try engine.replicaRecords(in: range) }) {
                try remove(RecordKey(bytes: record.key))
            }
        }
        for record in try records(of: RecordKey.targets) {
            let id = try RecordContent.number(record.member)
            if let target = try target(id) { list(target) }
        }
        areTargetsListed = true
    }
}

extension RecordContent {
    /// A header's mark. Earlier programs, which have also listed the uses of pinned targets, leave another one: `listsTargets`.
    var listsTargets: Bool { fields["listsUnpinnedTargets"] != nil }
}
