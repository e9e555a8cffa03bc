// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// What filters match (V-27 to V-37), written from the rules alone.
enum NaiveFilter {
    static func matches(_ filter: Filter, _ document: NaiveDocument) -> Bool {
        switch filter {
        case .and(let parts): parts.allSatisfy { matches($0, document) }
        case .or(let parts): parts.contains { matches($0, document) }
        case .unary(let path, let unaryOperator): matches(unaryOperator, document.value(at: path))
        case .field(let path, let fieldOperator, let operand):
            isDocumentName(path)
                ? nameMatches(document, fieldOperator, operand)
                : matches(document.value(at: path), fieldOperator, operand)
        }
    }

    /// V-32.
    private static func matches(_ unaryOperator: UnaryOperator, _ stored: Value?) -> Bool {
        guard let stored else { return false }
        return switch unaryOperator {
        case .isNull: isNull(stored)
        case .isNotNull: !isNull(stored)
        case .isNaN: isNaN(stored)
        case .isNotNaN: !isNull(stored) && !isNaN(stored)
        }
    }

    /// V-27 to V-35. Contrary to V-31, NOT_EQUAL with NaN excludes nothing, like NOT_IN: recorded in 2020
    /// (notEqual_usingNan_returnsNan) and in 2026 (field-filters/equality/not-equal-nan).
    private static func matches(_ stored: Value?, _ fieldOperator: FieldOperator, _ operand: Value) -> Bool {
        guard let stored else { return false }
        return switch fieldOperator {
        case .equal: equals(stored, operand)
        case .notEqual: !isNull(operand) && !isNull(stored) && !equals(stored, operand)
        case .lessThan: inRange(stored, operand) && NaiveOrder.compare(stored, operand) < 0
        case .lessThanOrEqual: inRange(stored, operand) && NaiveOrder.compare(stored, operand) <= 0
        case .greaterThan: inRange(stored, operand) && NaiveOrder.compare(stored, operand) > 0
        case .greaterThanOrEqual: inRange(stored, operand) && NaiveOrder.compare(stored, operand) >= 0
        case .in: list(operand).contains { equals(stored, $0) }
        case .notIn:
            !isNull(stored) && !list(operand).contains { isNull($0) }
                && !list(operand).contains { equals(stored, $0) }
        case .arrayContains: contains(stored, operand)
        case .arrayContainsAny: list(operand).contains { contains(stored, $0) }
        }
    }

    /// V-28, V-31: null and NaN operands equal nothing.
    private static func equals(_ stored: Value, _ operand: Value) -> Bool {
        !matchesNothing(operand) && NaiveOrder.compare(stored, operand) == 0
    }

    /// V-27, V-36: the stored value has the operand's class, and neither is null or NaN.
    private static func inRange(_ stored: Value, _ operand: Value) -> Bool {
        !matchesNothing(operand) && !isNaN(stored) && NaiveOrder.rank(stored) == NaiveOrder.rank(operand)
    }

    /// V-34.
    private static func contains(_ stored: Value, _ operand: Value) -> Bool {
        guard case .array(let elements) = stored else { return false }
        if case .array = operand { return false }
        return elements.contains { equals($0, operand) }
    }

    /// a document's name compares with references, as a path.
    private static func nameMatches(
        _ document: NaiveDocument, _ fieldOperator: FieldOperator, _ operand: Value
    ) -> Bool {
        func order(_ value: Value) -> Int? {
            guard case .reference(let reference) = value else { return nil }
            return NaiveOrder.compare(document.path.resource, reference.path)
        }
        return switch fieldOperator {
        case .equal: order(operand) == 0
        case .notEqual: order(operand).map { $0 != 0 } ?? false
        case .lessThan: order(operand).map { $0 < 0 } ?? false
        case .lessThanOrEqual: order(operand).map { $0 <= 0 } ?? false
        case .greaterThan: order(operand).map { $0 > 0 } ?? false
        case .greaterThanOrEqual: order(operand).map { $0 >= 0 } ?? false
        case .in: list(operand).contains { order($0) == 0 }
        case .notIn: !list(operand).contains { order($0) == 0 }
        case .arrayContains, .arrayContainsAny: false
        }
    }

    private static func list(_ operand: Value) -> [Value] {
        if case .array(let values) = operand { values } else { [] }
    }

    private static func matchesNothing(_ operand: Value) -> Bool { isNull(operand) || isNaN(operand) }

    private static func isNull(_ value: Value) -> Bool { NaiveOrder.rank(value) == 1 }

    private static func isNaN(_ value: Value) -> Bool {
        if case .double(let number) = value { number.isNaN } else { false }
    }
}

/// Whether a path is `__name__` (D-12).
func isDocumentName(_ path: FieldPath) -> Bool {
    path.segments.count == 1 && NaiveOrder.compare(path.segments[0], "__name__") == 0
}
