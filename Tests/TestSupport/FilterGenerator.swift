// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Random filters; ``QueryRules`` decides which of them a query may have.
struct FilterGenerator {
    let queries: QueryGenerator
    /// The document that the filter is meant to find.
    let witness: Fields?

    /// - Parameter depth: how many levels of ANDs and ORs are left.
    func filter(_ random: inout SeededGenerator, depth: Int) -> Filter {
        guard depth > 0, random.chance(0.5) else { return leaf(&random) }
        let parts = (0..<random.int(1..<4)).map { _ in filter(&random, depth: depth - 1) }
        return random.chance(0.6) ? .and(parts) : .or(parts)
    }

    private func leaf(_ random: inout SeededGenerator) -> Filter {
        if random.chance(0.08) { return nameFilter(&random) }
        let path = queries.fieldPath(&random)
        if random.chance(0.08) { return .unary(path, random.pick(UnaryOperator.allCases)) }
        let fieldOperator: FieldOperator = random.pick([
            .equal, .equal, .equal, .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual,
            .in, .in, .notIn, .arrayContains, .arrayContains, .arrayContainsAny,
        ])
        switch fieldOperator {
        case .in: return .field(path, .in, list(1..<5, &random) { queries.operand(path, witness, &$0) })
        case .notIn: return .field(path, .notIn, list(1..<4, &random) { queries.operand(path, witness, &$0) })
        case .arrayContains:
            return .field(arrayPath(path, &random), .arrayContains, queries.element("tags", witness, &random))
        case .arrayContainsAny:
            let elements = list(1..<4, &random) { queries.element("tags", witness, &$0) }
            return .field(arrayPath(path, &random), .arrayContainsAny, elements)
        default: return .field(path, fieldOperator, queries.operand(path, witness, &random))
        }
    }

    private func arrayPath(_ path: FieldPath, _ random: inout SeededGenerator) -> FieldPath {
        random.chance(0.85) ? "tags" : path
    }

    private func nameFilter(_ random: inout SeededGenerator) -> Filter {
        let fieldOperator: FieldOperator = random.pick([
            .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .in, .notIn,
        ])
        let operand =
            fieldOperator == .in || fieldOperator == .notIn
            ? list(1..<4, &random) { queries.nameOperand(&$0) } : queries.nameOperand(&random)
        return .field(.documentName, fieldOperator, operand)
    }

    private func list(
        _ count: Range<Int>, _ random: inout SeededGenerator, _ element: (inout SeededGenerator) -> Value
    ) -> Value {
        .array((0..<random.int(count)).map { _ in element(&random) })
    }
}
