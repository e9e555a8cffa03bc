// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension LintRule {
    /// I-33 to I-36. The file does not say what an index is for. A warning where every query that the index serves is
    /// served without it; a note where that holds for queries with == on all its fields but the last, the common use,
    /// and others need it.
    static let redundantIndex = LintRule(
        id: "redundant-index", severity: .warning, title: "index that others make redundant",
        explanation: """
            Production joins indexes that end in the same order: one on (category, rating) and one on (city, rating) serve \
            queries with == on both "category" and "city" that sort by "rating". An index on (category, city, rating) \
            beside them serves these queries faster, and costs every document another entry and every write another \
            change.

            Likewise the direction of a field that is compared with == makes no difference, so two indexes that differ in \
            nothing else serve the same queries with ==.

            It is a warning where every query that the index serves is served as well without it: remove the index unless \
            queries are slow then. It is a note where queries that sort by more than the last field, or have a range on \
            an earlier one, are served by this index alone. The message names such a query: if your programs have none, \
            remove the index. hearth advise tells from your queries.
            """,
        in: [.standard],
        check: { tree, report in
            let entries = tree.indexes.filter { $0.definition != nil }
            let endings = Dictionary(
                grouping: entries.indices.compactMap { EqualityUse(entries[$0], $0) }, by: \.ending)
            var findings: [(use: EqualityUse, cover: [EqualityUse])] = []
            for uses in endings.values where uses.count > 1 {
                var search = CoverSearch(uses)
                for place in uses.indices {
                    if let found = search.redundancy(at: place) { findings.append(found) }
                }
            }
            findings.sort { $0.use.number < $1.use.number }
            guard !findings.isEmpty else { return }
            let sorting = SortingUses(entries.compactMap(\.definition))
            for (use, cover) in findings {
                let query = use.entry.definition.flatMap(sorting.onlyQuery)
                report(
                    use.entry.node.offset, as: query == nil ? nil : .note,
                    message(use, cover, tree, onlyQuery: query))
            }
        })

    private static func message(
        _ use: EqualityUse, _ cover: [EqualityUse], _ tree: ConfigurationTree, onlyQuery query: String?
    ) -> String {
        let lines = cover.map { "line \(tree.line(of: $0.entry.node.offset))" }.joined(separator: " and ")
        let (bound, last) = (use.bound.map { quoted($0.path.wire) }.joined(separator: ", "), quoted(use.last.path.wire))
        let queries =
            use.last.mode == .contains
            ? "the queries that compare \(bound), \(last)"
            : "the queries that compare \(bound) and sort by \(last)"
        let subject = cover.count == 1 ? "the index at \(lines) serves" : "the indexes at \(lines) together serve"
        let cost =
            use.last.mode == .contains || use.bound.contains { $0.mode == .contains }
            ? "an entry for each array element of each document" : "another entry in each document"
        let served = "\(subject) \(queries)"
        guard let query else {
            return "\(served): this one costs \(cost), so remove it unless those are too slow"
        }
        return "\(served), but only this one serves \(query): it costs \(cost), so remove it if no query is like that"
    }
}

/// Finds the redundant uses among those with the same ending.
private struct CoverSearch {
    private struct Fields: Hashable {
        /// Ascending.
        let numbers: [Int]
        let scope: QueryScope
    }

    /// Smaller ones first.
    private let uses: [EqualityUse]
    private var fields: [Fields] = []
    /// The first use of each set of fields, which represents the others.
    private var first: [Fields: Int] = [:]
    /// For each field number, the places of uses whose rarest field it is. Files repeat a few fields in nearly every
    /// index.
    private var byRarest: [[Int]]
    /// For each field number, the use in which it must still be bound.
    private var missingFor: [Int]

    init(_ uses: [EqualityUse]) {
        self.uses = uses.sorted { ($0.bound.count, $0.number) < ($1.bound.count, $1.number) }
        var numbers: [IndexField: Int] = [:]
        var counts: [Int] = []
        for use in self.uses {
            let own = use.keys.map { key in
                let number = numbers[key] ?? counts.count
                if number == counts.count {
                    numbers[key] = number
                    counts.append(0)
                }
                counts[number] += 1
                return number
            }
            fields.append(Fields(numbers: own.sorted(), scope: use.scope))
        }
        byRarest = Array(repeating: [], count: counts.count)
        missingFor = Array(repeating: -1, count: counts.count)
        for (place, own) in fields.enumerated() where first[own] == nil {
            first[own] = place
            if let rarest = own.numbers.min(by: { counts[$0] < counts[$1] }) { byRarest[rarest].append(place) }
        }
    }

    /// The use at a place and what makes it redundant: a use with the same fields, or a join of smaller ones. Only
    /// earlier uses count, because a cover must stay, and so no two uses may cover each other. Nil if another rule
    /// reports it: the same index again, or for the group.
    mutating func redundancy(at place: Int) -> (use: EqualityUse, cover: [EqualityUse])? {
        let use = uses[place]
        for scope in servingScopes(use) {
            guard let same = first[Fields(numbers: fields[place].numbers, scope: scope)], same != place else {
                continue
            }
            if uses[same].bound == use.bound { return nil }
            if same < place { return (use, [uses[same]]) }
        }
        // Vector indexes are not joined.
        guard !use.last.mode.isVector, let cover = join(at: place) else { return nil }
        return (use, cover.map { uses[$0] }.sorted { $0.number < $1.number })
    }

    private func servingScopes(_ use: EqualityUse) -> [QueryScope] {
        use.scope == .collection ? [.collectionGroup, .collection] : [.collectionGroup]
    }

    /// The fewest uses that a greedy search finds; nil if even all together do not serve.
    private mutating func join(at place: Int) -> [Int]? {
        let wanted = fields[place].numbers
        for field in wanted { missingFor[field] = place }
        let parts = parts(of: place)
        // An upper bound of the missing fields that each part has: the last count, which can only shrink.
        var gains = parts.map { fields[$0].numbers.count }
        var missing = wanted.count
        var cover: [Int] = []
        while missing > 0 {
            var best: (part: Int, gain: Int)?
            for number in parts.indices where gains[number] > best?.gain ?? 0 {
                gains[number] = fields[parts[number]].numbers.count { missingFor[$0] == place }
                if gains[number] > best?.gain ?? 0 { best = (parts[number], gains[number]) }
            }
            guard let best else { return nil }
            cover.append(best.part)
            for field in fields[best.part].numbers { missingFor[field] = -1 }
            missing -= best.gain
        }
        return cover
    }

    /// The earlier uses whose fields all are among this use's fields, which are marked as missing, in source order.
    private func parts(of place: Int) -> [Int] {
        let scopes = servingScopes(uses[place])
        let parts = fields[place].numbers.flatMap { field in
            byRarest[field].prefix { $0 < place }.filter { part in
                scopes.contains(fields[part].scope) && fields[part].numbers.allSatisfy { missingFor[$0] == place }
            }
        }
        return parts.sorted { uses[$0].number < uses[$1].number }
    }
}

/// An index as used by queries with == on all its fields but the last.
private struct EqualityUse {
    struct Ending: Hashable {
        let collectionGroup: Text
        let last: IndexField
        let nameDirection: Direction
    }

    let entry: IndexEntry
    /// The index's position in the file.
    let number: Int
    let scope: QueryScope
    let bound: [IndexField]
    let last: IndexField
    let ending: Ending
    /// A field that is bound by == may have either direction (I-28).
    let keys: [IndexField]

    /// Nil for an index without such a use.
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
        keys = bound.map { $0.mode == .contains ? $0 : IndexField($0.path, .order(.ascending)) }
        let different = Set(keys)
        guard different.count == keys.count, !different.contains(IndexField(last.path, .order(.ascending))) else {
            return nil
        }
    }
}
