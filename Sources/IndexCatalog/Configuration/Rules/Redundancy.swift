// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// I-33 to I-36. What an index is for is not in the file, so the rule goes by its usual use: == on all fields but the last,
    /// and the order of the last.
    static let redundantIndex = LintRule(
        id: "redundant-index", severity: .warning, title: "index that others make redundant",
        explanation: """
            Production joins indexes that end in the same order: one on (category, rating) and one on (city, rating) serve \
            queries with == on both "category" and "city" that sort by "rating". An index on (category, city, rating) \
            beside them serves these queries faster, and costs every document another entry and every write another \
            change.

            Likewise the direction of a field that is compared with == makes no difference, so two indexes that differ in \
            nothing else serve the same queries with ==.

            Keep the index if the queries are slow without it, or if queries sort or filter by a range on more than its \
            last field; hearth advise tells from your queries. Otherwise remove it.
            """,
        check: { tree, report in
            let entries = tree.indexes.filter { $0.definition != nil }
            let buckets = Dictionary(
                grouping: entries.indices.compactMap { EqualityUse(entries[$0], $0) }, by: \.ending)
            var findings: [(offset: Int, message: String)] = []
            for bucket in buckets.values where bucket.count > 1 {
                let smallerFirst = bucket.sorted { ($0.bound.count, $0.number) < ($1.bound.count, $1.number) }
                let others = SubsetIndex(smallerFirst)
                for (place, use) in smallerFirst.enumerated() {
                    guard let cover = others.cover(of: use, at: place) else { continue }
                    findings.append((use.entry.node.offset, message(use, cover, tree)))
                }
            }
            for finding in findings.sorted(by: { $0.offset < $1.offset }) { report(finding.offset, finding.message) }
        })

    private static func message(_ use: EqualityUse, _ cover: [EqualityUse], _ tree: ConfigurationTree) -> String {
        let lines = cover.map { "line \(tree.line(of: $0.entry.node.offset))" }.joined(separator: " and ")
        let bound = use.bound.map { quoted($0.path.wire) }.joined(separator: ", ")
        let subject = cover.count == 1 ? "the index at \(lines) serves" : "the indexes at \(lines) together serve"
        let cost =
            use.bound.contains { $0.mode == .contains }
            ? "an entry for each array element of each document" : "another entry in each document"
        return "\(subject) the queries that compare \(bound) and sort by \(quoted(use.last.path.wire)): this one costs "
            + "\(cost), so remove it unless those are too slow or queries sort by more of its fields"
    }
}

/// Finds the uses whose fields are all among those of another: each waits under its rarest field, since files repeat a few
/// fields in nearly every index.
private struct SubsetIndex {
    private typealias Entry = (place: Int, use: EqualityUse)
    private struct Fields: Hashable {
        let keys: Set<IndexField>
        let scope: QueryScope
    }

    /// The first use of each set of fields stands for all of them.
    private var first: [Fields: Entry] = [:]
    private var byRarest: [IndexField: [Entry]] = [:]

    init(_ uses: [EqualityUse]) {
        var counts: [IndexField: Int] = [:]
        for use in uses { for key in use.keys { counts[key, default: 0] += 1 } }
        for (place, use) in uses.enumerated() {
            let fields = Fields(keys: use.keys, scope: use.scope)
            guard first[fields] == nil else { continue }
            first[fields] = (place, use)
            guard let rarest = use.keys.min(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else { continue }
            byRarest[rarest, default: []].append((place, use))
        }
    }

    /// What makes a use redundant: one with the same fields, or a join of smaller ones. Only those before `place` count: what
    /// covers an index must stay, so no two may cover each other. Nil for the same index once more, or for the group, which is
    /// another rule's business.
    func cover(of use: EqualityUse, at place: Int) -> [EqualityUse]? {
        let scopes: [QueryScope] = use.scope == .collection ? [.collectionGroup, .collection] : [.collectionGroup]
        for scope in scopes {
            guard let same = first[Fields(keys: use.keys, scope: scope)], same.place != place else { continue }
            if same.use.bound == use.bound { return nil }
            if same.place < place { return [same.use] }
        }
        let parts = use.keys.flatMap { key in
            byRarest[key, default: []].prefix { $0.place < place }.map(\.use).filter { $0.keys.isSubset(of: use.keys) }
        }
        return use.cover(among: parts.sorted { $0.number < $1.number })
    }
}

/// An index as it serves queries with == on all its fields but the last.
private struct EqualityUse {
    struct Ending: Hashable {
        let collectionGroup: Text
        let last: IndexField
        let nameDirection: Direction
    }

    let entry: IndexEntry
    /// Its place among the file's indexes.
    let number: Int
    let scope: QueryScope
    let bound: [IndexField]
    let last: IndexField
    let ending: Ending
    /// A field that is bound by == may stand in either direction (I-28).
    let keys: Set<IndexField>

    /// Nil for an index that has no such use.
    init?(_ entry: IndexEntry, _ number: Int) {
        guard let definition = entry.definition, let last = definition.fields.last, definition.fields.count > 1 else {
            return nil
        }
        self.entry = entry
        self.number = number
        self.last = last
        scope = definition.scope
        bound = Array(definition.fields.dropLast())
        ending = Ending(
            collectionGroup: definition.collectionGroup, last: last, nameDirection: definition.nameDirection)
        keys = Set(bound.map { $0.mode == .contains ? $0 : IndexField($0.path, .order(.ascending)) })
        guard keys.count == bound.count, !keys.contains(IndexField(last.path, .order(.ascending))) else { return nil }
    }

    /// The fewest that a greedy choice finds among `others`; nil if they do not serve.
    func cover(among others: [EqualityUse]) -> [EqualityUse]? {
        let candidates = others.filter { other in
            (other.scope == .collectionGroup || scope == .collection) && (!last.mode.isVector || other.keys == keys)
        }
        var missing = keys
        var cover: [EqualityUse] = []
        while !missing.isEmpty {
            let gains = candidates.map { $0.keys.intersection(missing).count }
            guard let most = gains.max(), most > 0, let best = gains.firstIndex(of: most) else { return nil }
            cover.append(candidates[best])
            missing.subtract(candidates[best].keys)
        }
        return cover.sorted { $0.number < $1.number }
    }
}
