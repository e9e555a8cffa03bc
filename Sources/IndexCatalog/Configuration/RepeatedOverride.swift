// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// How an override goes together with an earlier one of its field.
enum RepeatedOverride {
    /// They say the same.
    case same
    /// Only one of them speaks of the TTL. A deployment leaves a TTL as it is where an override says nothing of it (J-31).
    case onlyOneWithTimeToLive
    /// A deployment sends the one that is not in force (J-31), and so the other one each time.
    case contradiction

    init(_ first: OverrideEntry, _ second: OverrideEntry, _ edition: Edition) {
        func indexes(_ entry: OverrideEntry) -> Set<IdentifiedFieldIndex> {
            Set(entry.indexes.compactMap { IdentifiedFieldIndex($0, edition) })
        }
        let times = (first.timeToLiveNode?.boolean, second.timeToLiveNode?.boolean)
        if indexes(first) != indexes(second) {
            self = .contradiction
        } else if times.0 == times.1 {
            self = .same
        } else {
            self = times.0 == nil || times.1 == nil ? .onlyOneWithTimeToLive : .contradiction
        }
    }

    /// What is wrong and what to do, if the earlier one is at this line.
    func message(firstLine: Int) -> String {
        switch self {
        case .same: "the same override as at line \(firstLine): remove one of them"
        case .onlyOneWithTimeToLive:
            "an override of the same field with the same indexes is at line \(firstLine): remove the one without \"ttl\""
        case .contradiction:
            "the override of the same field at line \(firstLine) says otherwise, and each deployment brings the one of the "
                + "two that is not in force, in whatever order the file has them: merge them"
        }
    }
}

extension ConfigurationTree {
    /// Each override with the one before it that is of the same field: the nearest that speaks of the TTL, if there is one.
    func forEachRepeatedOverride(_ body: (_ first: OverrideEntry, _ second: OverrideEntry) -> Void) {
        struct Key: Hashable {
            let group: Text
            let target: OverrideEntry.Target
        }
        var last: [Key: OverrideEntry] = [:]
        for entry in fieldOverrides {
            guard let group = entry.collectionGroup, let target = entry.target else { continue }
            let key = Key(group: group, target: target)
            let first = last[key]
            if let first { body(first, entry) }
            if entry.timeToLiveNode != nil || first?.timeToLiveNode == nil { last[key] = entry }
        }
    }
}

extension ConfigurationReader {
    /// The places of overrides that contradict one before them. The configuration has the last one of a field, but no answer about
    /// the field is right for long.
    package static func contradictions(in source: [UInt8], for edition: Edition) -> Set<Int> {
        var trailingCommas: [Int] = []
        guard let root = try? ConfigurationForm.tree(source, notingTrailingCommas: &trailingCommas) else { return [] }
        var places: Set<Int> = []
        let tree = ConfigurationTree(root, lines: LineMap(source), edition: edition)
        tree.forEachRepeatedOverride { first, second in
            if case .contradiction = RepeatedOverride(first, second, edition) { places.insert(second.node.offset) }
        }
        return places
    }
}
