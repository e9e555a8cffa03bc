// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What composites of a file serve beyond == on all fields but the last: queries that bind fewer of an index's first
/// fields, and sort by the others or have a range on them (I-25).
struct SortingUses {
    /// The last two fields, which the indexes that can be joined for such a query have in common.
    private struct Ending: Hashable {
        let collectionGroup: Text
        let fields: [IndexField]
        let nameDirection: Direction

        init?(_ index: IndexDefinition) {
            guard index.fields.count > 1 else { return nil }
            collectionGroup = index.collectionGroup
            fields = Array(index.fields.suffix(2))
            nameDirection = index.nameDirection
        }
    }

    private let byEnding: [Ending: [IndexDefinition]]

    init(_ indexes: [IndexDefinition]) {
        var byEnding: [Ending: [IndexDefinition]] = [:]
        for index in indexes { if let ending = Ending(index) { byEnding[ending, default: []].append(index) } }
        self.byEnding = byEnding
    }

    /// A query that no other index serves, alone or joined; nil if there is none. The one that binds the most fields.
    func onlyQuery(_ index: IndexDefinition) -> String? {
        guard let ending = Ending(index), index.fields.last?.mode.isVector == false else { return nil }
        let others = (byEnding[ending] ?? []).filter {
            $0 != index && ($0.scope == index.scope || $0.scope == .collectionGroup)
        }
        // Nothing sorts by array elements: such a field is always bound.
        let fewest = index.fields.lastIndex { $0.mode == .contains }.map { $0 + 1 } ?? 0
        let counts = stride(from: index.fields.count - 2, through: fewest, by: -1)
        return counts.first { !isServed(index, binding: $0, by: others) }.map { index.query(binding: $0) }
    }

    /// Whether others that end in the same order bind all of the fields between them, and nothing else.
    private func isServed(_ index: IndexDefinition, binding count: Int, by others: [IndexDefinition]) -> Bool {
        let (wanted, order) = (Set(SortingUses.bound(index, count)), index.fields[count...])
        var missing = wanted
        var isOrdered = false
        for other in others where other.fields.count >= order.count && other.fields.suffix(order.count) == order {
            let bound = SortingUses.bound(other, other.fields.count - order.count)
            guard wanted.isSuperset(of: bound) else { continue }
            isOrdered = true
            missing.subtract(bound)
        }
        return isOrdered && missing.isEmpty
    }

    /// A field that is bound by == may have either direction (I-28).
    private static func bound(_ index: IndexDefinition, _ count: Int) -> [IndexField] {
        index.fields.prefix(count).map { $0.mode == .contains ? $0 : IndexField($0.path, .order(.ascending)) }
    }
}
