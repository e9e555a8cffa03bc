// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// What a query says of the documents that it may return: one resource for each of its disjuncts. A query is allowed
/// if all of them are.
enum QueryResource {
    /// A document that the query names.
    case document(ResourcePath)
    /// The `resource` of any document that the disjunct returns: values of fields, or constraints on them.
    case constrained(RuleValue)

    /// The largest number of disjuncts that a query may have is far below.
    private static let largestExpansion = 1000

    /// Nil if the filters have too many disjuncts.
    static func all(_ filter: Filter?) -> [QueryResource]? {
        guard let filter else { return [.constrained(resource([]))] }
        return disjuncts(filter).map { distinct($0.map(distinct)) }?.map { leaves in
            let names = leaves.filter(\.path.isDocumentName)
            if names.count == 1, case .equal = names[0].comparison, case .path(let path) = names[0].value,
                let texts = path.texts
            {
                return .document(ResourcePath(segments: Array(texts.dropFirst(3))))
            }
            return .constrained(resource(leaves.filter { !$0.path.isDocumentName }))
        }
    }

    private struct Leaf {
        let path: FieldPath
        let comparison: Constraint.Comparison
        let value: RuleValue

        init(_ path: FieldPath, _ comparison: Constraint.Comparison, _ value: RuleValue) {
            self.path = path
            self.comparison = comparison
            self.value = value
        }

        func isSame(as other: Leaf) -> Bool {
            path == other.path && comparison == other.comparison && value.isSame(as: other.value, loosely: true)
                && value.type == other.value.type
        }
    }

    /// Equal disjuncts are one.
    private static func distinct(_ disjuncts: [[Leaf]]) -> [[Leaf]] {
        var distinct: [[Leaf]] = []
        for leaves in disjuncts {
            let isKnown = distinct.contains { other in
                other.count == leaves.count && zip(other, leaves).allSatisfy { $0.isSame(as: $1) }
            }
            if !isKnown { distinct.append(leaves) }
        }
        return distinct
    }

    /// Equal filters are one.
    private static func distinct(_ leaves: [Leaf]) -> [Leaf] {
        var distinct: [Leaf] = []
        for leaf in leaves where !distinct.contains(where: leaf.isSame) { distinct.append(leaf) }
        return distinct
    }

    private static func disjuncts(_ filter: Filter) -> [[Leaf]]? {
        switch filter {
        case .field(let path, let comparison, let value): return disjuncts(path, comparison, value)
        case .unary(let path, .isNull): return [[Leaf(path, .equal, .null)]]
        case .unary(let path, .isNaN): return [[Leaf(path, .equal, .float(.nan))]]
        case .unary(let path, .isNotNull): return [[Leaf(path, .notEqual, .null)]]
        case .unary(let path, .isNotNaN): return [[Leaf(path, .notEqual, .float(.nan))]]
        case .or(let filters):
            var all: [[Leaf]] = []
            for filter in filters {
                guard let some = disjuncts(filter) else { return nil }
                all += some
            }
            return all.count <= largestExpansion ? all : nil
        case .and(let filters):
            var all: [[Leaf]] = [[]]
            for filter in filters {
                guard let some = disjuncts(filter), some.count * all.count <= largestExpansion else { return nil }
                all = all.flatMap { leaves in some.map { leaves + $0 } }
            }
            return all
        }
    }

    private static func disjuncts(_ path: FieldPath, _ comparison: FieldOperator, _ value: Value) -> [[Leaf]] {
        var elements: [Value] = []
        if case .array(let values) = value { elements = values }
        let operand = RuleValue(value)
        switch comparison {
        case .equal: return [[equal(path, value)]]
        case .notEqual: return [[Leaf(path, .notEqual, operand)]]
        case .lessThan: return [[Leaf(path, .less, operand)]]
        case .lessThanOrEqual: return [[Leaf(path, .lessOrEqual, operand)]]
        case .greaterThan: return [[Leaf(path, .greater, operand)]]
        case .greaterThanOrEqual: return [[Leaf(path, .greaterOrEqual, operand)]]
        case .arrayContains: return [[Leaf(path, .contains, operand)]]
        case .in: return elements.map { [equal(path, $0)] }
        case .arrayContainsAny: return elements.map { [Leaf(path, .contains, RuleValue($0))] }
        case .notIn: return [elements.map { Leaf(path, .notEqual, RuleValue($0)) }]
        }
    }

    private static func equal(_ path: FieldPath, _ value: Value) -> Leaf {
        Leaf(path, value.isNull || value.isNaN ? .equalUnknowable : .equal, RuleValue(value))
    }

    /// A resource with `data` alone. Fields that no filter mentions are missing.
    private static func resource(_ leaves: [Leaf]) -> RuleValue {
        .map(RuleMap([("data", .map(data(leaves.map { ($0.path.segments[...], $0) })))]))
    }

    private static func data(_ leaves: [(path: ArraySlice<Text>, leaf: Leaf)]) -> RuleMap {
        var names: [Text] = []
        for leaf in leaves { if let name = leaf.path.first, !names.contains(name) { names.append(name) } }
        return RuleMap(
            names.map { name in
                let own = leaves.filter { $0.path.first == name }
                let here = own.filter { $0.path.count == 1 }.map(\.leaf)
                let inner = own.filter { $0.path.count > 1 }
                if !inner.isEmpty {
                    // What filters say of a map's fields takes the place of what one says of the whole map.
                    var entries: [RuleMap.Entry] = []
                    if here.count == 1, case .equal = here[0].comparison, case .map(let map) = here[0].value {
                        entries = map.entries
                    }
                    return (name, .map(RuleMap(entries + data(inner.map { ($0.path.dropFirst(), $0.leaf) }).entries)))
                }
                if here.count == 1, case .equal = here[0].comparison { return (name, here[0].value) }
                return (name, .constraint(Constraint(comparisons: here.map { ($0.comparison, $0.value) })))
            })
    }
}
