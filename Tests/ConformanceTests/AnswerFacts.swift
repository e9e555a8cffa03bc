// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport

// Facts by which the known differences are recognized.

extension Answer {
    var isResult: Bool { if case .refused = self { false } else { true } }

    /// Nil if the answer is not a list of documents.
    var names: [DocumentPath]? { if case .documents(let rows) = self { rows.map(\.path) } else { nil } }

    var message: String { if case .refused(_, let message) = self { message } else { "" } }

    func isRefusal(_ prefix: String) -> Bool {
        if case .refused(_, let message) = self { message.hasPrefix(prefix) } else { false }
    }
}

extension Filter {
    /// Replaces every inequality with null or NaN by an equality, which also matches nothing (V-31, V-36) but implies
    /// no order.
    var withoutImpossibleInequalities: Filter {
        switch self {
        case .and(let parts): return .and(parts.map(\.withoutImpossibleInequalities))
        case .or(let parts): return .or(parts.map(\.withoutImpossibleInequalities))
        case .field(let path, .notEqual, .null): return .field(path, .equal, .null)
        case .field(let path, .lessThan, let operand), .field(let path, .lessThanOrEqual, let operand),
            .field(let path, .greaterThan, let operand), .field(let path, .greaterThanOrEqual, let operand):
            return operand.isNull || operand.isNaN ? .field(path, .equal, operand) : self
        case .field, .unary: return self
        }
    }

    /// Whether it has an OR with a single filter.
    var hasSingleAlternative: Bool {
        switch self {
        case .or(let parts) where parts.count == 1: true
        case .or(let parts), .and(let parts): parts.contains(where: \.hasSingleAlternative)
        case .field, .unary: false
        }
    }
}

extension FindNearest {
    func distance(to document: Fields?) -> Double {
        guard case .vector(let other)? = document?[path] else { return .nan }
        func product(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
        return switch measure {
        case .euclidean: zip(vector, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        case .dotProduct: product(vector, other)
        case .cosine:
            1 - product(vector, other) / (product(vector, vector) * product(other, other)).squareRoot()
        }
    }
}

extension Scenario {
    /// The answer of the naive evaluator, which adds doubles in its own order.
    var naiveAnswer: Answer? {
        let evaluator = NaiveEvaluator(documents)
        switch request {
        case .documents(let query):
            return (try? evaluator.rows(of: query)).map { rows in
                .documents(rows.map { Answer.Row(path: $0.path, fields: $0.fields) })
            }
        case .aggregation(let query):
            return (try? evaluator.aggregates(of: query)).map { aggregates in
                .aggregates(Dictionary(uniqueKeysWithValues: aggregates.map { ($0.alias.string, $0.value) }))
            }
        }
    }

    /// Whether two answers to a vector search with a filter other than equalities have the same distances in the same
    /// order.
    func differsInTies(_ left: Answer, _ right: Answer) -> Bool {
        guard let nearest = request.query.nearest, let left = left.names, let right = right.names,
            left.count == right.count, leaves.contains(where: { $0.fieldOperator != .equal })
        else { return false }
        return zip(left, right).allSatisfy { left, right in
            let distances = [left, right].map { nearest.distance(to: documents[$0]) }
            return abs(distances[0] - distances[1]) < 1e-12
        }
    }

    var isGroupUnderParent: Bool {
        request.query.parent != nil && request.query.from.allDescendants
    }

    var filtersName: Bool { leaves.contains { $0.path.isDocumentName } }

    var leaves: [QueryRules.Leaf] { request.query.filter.map { QueryRules.leaves($0) } ?? [] }

    var hasRepeatedMembership: Bool {
        let memberships = leaves.filter(\.isMembership)
        return memberships.indices.contains { index in
            memberships[..<index].contains { other in
                other.path == memberships[index].path
                    && other.elements.contains { element in
                        memberships[index].elements.contains { $0 == element }
                    }
            }
        }
    }
}

extension QueryRules.Leaf {
    fileprivate var elements: [Value] {
        if fieldOperator == .arrayContainsAny, case .array(let elements) = operand { elements } else { [operand] }
    }
}
