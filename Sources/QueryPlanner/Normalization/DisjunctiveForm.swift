// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A filter as an OR of ANDs. The caller has checked the size.
struct DisjunctiveForm {
    /// One of the ANDs, with the number of its branch, which tells the side taken at each OR.
    private struct Alternative {
        var filters: [Filter]
        var branch: Int
    }

    /// Whether `in` and `array-contains-any` are expanded to their first value only.
    private let takesFirstValues: Bool

    /// The distinct disjuncts that can match a document, in the order in which an OR, an `in` or the first of two
    /// ANDed filters lists them.
    static func disjuncts(of filter: Filter?, names: NameSpace) -> [Disjunct] {
        guard let filter else { return [Disjunct([], names: names)] }
        if isConjunction(filter) {
            let disjunct = Disjunct(filter.leaves, names: names)
            return disjunct.matchesNothing ? [] : [disjunct]
        }
        var distinct: [Alternative] = []
        for candidate in DisjunctiveForm(takesFirstValues: false).expand(filter).alternatives
        where !distinct.contains(where: { isEqual($0.filters, candidate.filters) }) {
            distinct.append(candidate)
        }
        return distinct.compactMap {
            let disjunct = Disjunct($0.filters, branch: $0.branch, names: names)
            return disjunct.matchesNothing ? nil : disjunct
        }
    }

    /// One disjunct of each branch, in order. Together they have all fields and operators of the query.
    static func branches(of filter: Filter?, names: NameSpace) -> [Disjunct] {
        guard let filter else { return [Disjunct([], names: names)] }
        return DisjunctiveForm(takesFirstValues: true).expand(filter).alternatives
            .map { Disjunct($0.filters, branch: $0.branch, names: names) }
    }

    /// Whether a filter has no alternatives, as most have none. Then its leaves are the only disjunct.
    static func isConjunction(_ filter: Filter?) -> Bool {
        switch filter {
        case nil, .unary?: true
        case .field(_, let op, _)?: op != .in && op != .arrayContainsAny
        case .and(let children)?: children.allSatisfy { isConjunction($0) }
        case .or?: false
        }
    }

    /// The number of the leaf that lists values, if only one does, no filter is an OR, and no other leaf has its field.
    /// The disjuncts then differ in the value of that field alone.
    static func onlyList(of filter: Filter?) -> Int? {
        guard let filter, !hasOr(filter) else { return nil }
        let leaves = filter.leaves
        let lists = leaves.indices.filter { !isConjunction(leaves[$0]) }
        guard lists.count == 1, let path = leaves[lists[0]].path, !path.isDocumentName else { return nil }
        return leaves.contains { $0.path == path && isConjunction($0) } ? nil : lists[0]
    }

    private static func hasOr(_ filter: Filter) -> Bool {
        switch filter {
        case .field, .unary: false
        case .and(let children): children.contains { hasOr($0) }
        case .or: true
        }
    }

    private func expand(_ filter: Filter) -> (alternatives: [Alternative], branchCount: Int) {
        switch filter {
        case .field(let path, .in, .array(let values)): (expand(values) { .field(path, .equal, $0) }, 1)
        case .field(let path, .arrayContainsAny, .array(let values)):
            (expand(values) { .field(path, .arrayContains, $0) }, 1)
        case .field, .unary: ([Alternative(filters: [filter], branch: 0)], 1)
        case .or(let children): expand(or: children)
        case .and(let children): expand(and: children)
        }
    }

    private func expand(_ values: [Value], _ filter: (Value) -> Filter) -> [Alternative] {
        values.prefix(takesFirstValues ? 1 : .max).map { Alternative(filters: [filter($0)], branch: 0) }
    }

    private func expand(or children: [Filter]) -> (alternatives: [Alternative], branchCount: Int) {
        var result: [Alternative] = []
        var branchCount = 0
        for child in children {
            let part = expand(child)
            result += part.alternatives.map { Alternative(filters: $0.filters, branch: branchCount + $0.branch) }
            branchCount += part.branchCount
        }
        return (result, branchCount)
    }

    private func expand(and children: [Filter]) -> (alternatives: [Alternative], branchCount: Int) {
        var result = [Alternative(filters: [], branch: 0)]
        var branchCount = 1
        for child in children {
            let factor = expand(child)
            if factor.alternatives.count == 1 {
                for index in result.indices { result[index].filters += factor.alternatives[0].filters }
            } else {
                result = result.flatMap { left in
                    factor.alternatives.map {
                        Alternative(
                            filters: left.filters + $0.filters, branch: left.branch * factor.branchCount + $0.branch)
                    }
                }
            }
            branchCount *= factor.branchCount
        }
        return (result, branchCount)
    }

    private static func isEqual(_ lhs: [Filter], _ rhs: [Filter]) -> Bool {
        guard lhs.count == rhs.count else { return false }
        // Compares from the end: candidates mostly differ in the value of an `in`, which is usually the last filter.
        for index in lhs.indices.reversed() where !isEqual(lhs[index], rhs[index]) { return false }
        return true
    }

    private static func isEqual(_ lhs: Filter, _ rhs: Filter) -> Bool {
        switch (lhs, rhs) {
        case (.field(let path, let op, let value), .field(let otherPath, let otherOp, let otherValue)):
            op == otherOp && Value.compare(value, otherValue) == 0 && path == otherPath
        case (.unary(let path, let op), .unary(let otherPath, let otherOp)): op == otherOp && path == otherPath
        default: false
        }
    }
}
