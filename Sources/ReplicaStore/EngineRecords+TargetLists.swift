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

    // MARK: Keeping the lists

    func list(_ target: TargetData) {
        if let coverage = target.target.coverage { insert(.coveringTarget(target.id, coverage)) }
    }

    func unlist(_ target: TargetData) {
        if let coverage = target.target.coverage { remove(.coveringTarget(target.id, coverage)) }
    }

    /// Reads all targets, but only if the lists are not right.
    private func listTargets() throws(ReplicaError) {
        guard !areTargetsListed else { return }
        let lists = KeyRange(prefix: RecordKey.coveringTargets)
        for record in try stored({ () throws(EngineError) in try engine.replicaRecords(in: lists) }) {
            try remove(RecordKey(bytes: record.key))
        }
        for record in try records(of: RecordKey.targets) {
            let id = try RecordContent.number(record.member)
            if let target = try target(id) { list(target) }
        }
        areTargetsListed = true
    }
}

extension RecordContent {
    /// A header's mark.
    var listsTargets: Bool { fields["listsTargets"] != nil }
}
