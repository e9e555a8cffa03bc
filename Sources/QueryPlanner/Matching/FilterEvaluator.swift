// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Tests whether a document matches filters, by comparing values instead of key bytes (V-27 to V-37).
package enum FilterEvaluator {
    /// Whether all of `filters` hold for the document.
    package static func matches(_ filters: [Filter], fields: Fields, path: DocumentPath) -> Bool {
        filters.allSatisfy { matches($0, fields: fields, path: path) }
    }

    package static func matches(_ filter: Filter, fields: Fields, path: DocumentPath) -> Bool {
        switch filter {
        case .and(let filters): filters.allSatisfy { matches($0, fields: fields, path: path) }
        case .or(let filters): filters.contains { matches($0, fields: fields, path: path) }
        case .unary(let field, let op): matches(fields[field], op)
        case .field(let field, let op, let operand) where field.isDocumentName:
            matchesName(path.resource, op, operand)
        case .field(let field, let op, let operand): matches(fields[field], op, operand)
        }
    }

    /// V-32.
    private static func matches(_ value: Value?, _ op: UnaryOperator) -> Bool {
        guard let value else { return false }
        return switch op {
        case .isNull: value.isNull
        case .isNotNull: !value.isNull
        case .isNaN: value.isNaN
        case .isNotNaN: !value.isNull && !value.isNaN
        }
    }

    private static func matches(_ value: Value?, _ op: FieldOperator, _ operand: Value) -> Bool {
        guard let value else { return false }
        switch op {
        case .equal: return isEqual(value, operand)
        case .notEqual: return !operand.isNull && !value.isNull && !isEqual(value, operand)
        case .in: return elements(operand).contains { isEqual(value, $0) }
        case .notIn:
            let excluded = elements(operand)
            return !value.isNull && !excluded.contains(where: \.isNull)
                && !excluded.contains { isEqual(value, $0) }
        case .arrayContains: return elements(value).contains { isElement($0, operand) }
        case .arrayContainsAny:
            let wanted = elements(operand)
            return elements(value).contains { element in wanted.contains { isElement(element, $0) } }
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: return isInRange(value, op, operand)
        }
    }

    /// Always false for null and NaN (V-25, V-31, V-33).
    private static func isEqual(_ value: Value, _ operand: Value) -> Bool {
        !operand.isNull && !operand.isNaN && Value.compare(value, operand) == 0
    }

    /// V-34: an array cannot be an element to search for.
    private static func isElement(_ element: Value, _ operand: Value) -> Bool {
        operand.typeClass != .array && isEqual(element, operand)
    }

    /// V-27, V-36.
    private static func isInRange(_ value: Value, _ op: FieldOperator, _ operand: Value) -> Bool {
        guard value.typeClass == operand.typeClass, !operand.isNull, !value.isNaN, !operand.isNaN else { return false }
        return holds(Value.compare(value, operand), op)
    }

    private static func holds(_ order: Int, _ op: FieldOperator) -> Bool {
        switch op {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .greaterThan: order > 0
        case .greaterThanOrEqual: order >= 0
        case .equal: order == 0
        default: order != 0
        }
    }

    /// names compare as paths. The validator has checked the database.
    private static func matchesName(_ path: ResourcePath, _ op: FieldOperator, _ operand: Value) -> Bool {
        switch op {
        case .in: return elements(operand).contains { matchesName(path, .equal, $0) }
        case .notIn: return elements(operand).allSatisfy { matchesName(path, .notEqual, $0) }
        case .arrayContains, .arrayContainsAny: return false
        default:
            guard case .reference(let reference) = operand else { return false }
            return holds(ResourcePath.compare(path, reference.path), op)
        }
    }

    private static func elements(_ value: Value) -> [Value] {
        if case .array(let elements) = value { elements } else { [] }
    }
}
