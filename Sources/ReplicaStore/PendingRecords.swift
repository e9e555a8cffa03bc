// SPDX-License-Identifier: Apache-2.0

/// Changes of records that are not stored yet, found by key and by group, so that reading one document's records costs
/// the same however much is pending.
struct PendingRecords {
    private var groups: [[UInt8]: [[UInt8]: [UInt8]?]] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// The new value; nil within for a removed record, nil for one without a change.
    subscript(key: RecordKey) -> [UInt8]?? { groups[key.group]?[key.member] }

    mutating func set(_ value: [UInt8]?, at key: RecordKey) {
        groups[key.group, default: [:]].updateValue(value, forKey: key.member)
    }

    /// The changes of a group by member, in no particular order.
    func changes(of group: [UInt8]) -> [[UInt8]: [UInt8]?] { groups[group] ?? [:] }

    /// The groups with changes.
    var changedGroups: [[UInt8]] { Array(groups.keys) }

    var all: [(key: [UInt8], value: [UInt8]?)] {
        groups.flatMap { group, members in members.map { (group + $0.key, $0.value) } }
    }
}
