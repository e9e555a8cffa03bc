// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What one filter on a field lets through, as ascending key bytes. Exact: every encoded value inside matches, none outside.
enum FilterBounds {
    /// The values that an inequality filter matches (V-27, V-29, V-30, V-32, V-36); a missing field has no key, so it never
    /// matches.
    static func ranges(of leaf: Filter) -> KeyRangeSet {
        switch leaf {
        case .unary(_, .isNotNull): notNull
        case .unary(_, .isNotNaN): notNull.intersection([KeyRange(KeyBounds.rangeOfNaN())].inverted)
        case .unary(_, .isNull): [KeyRange(KeyBounds.range(of: .null))]
        case .unary(_, .isNaN): [KeyRange(KeyBounds.rangeOfNaN())]
        case .field(_, .notEqual, let operand): ranges(excluding: [operand])
        case .field(_, .notIn, .array(let operands)): ranges(excluding: operands)
        case .field(_, let op, let operand): range(op, operand)
        case .and, .or: preconditionFailure("bounds belong to a filter on one field")
        }
    }

    static func key(_ value: Value) -> [UInt8] {
        var encoder = KeyEncoder(capacity: 32)
        encoder.append(value)
        return encoder.bytes
    }

    private static let notNull: KeyRangeSet = [KeyRange(lower: KeyBounds.range(of: .boolean).lower, upper: [])]

    /// Null among the operands matches nothing, NaN excludes nothing (V-30, and V-31 as recorded for `!= NaN`).
    private static func ranges(excluding operands: [Value]) -> KeyRangeSet {
        guard !operands.contains(where: \.isNull) else { return [] }
        var result = notNull
        for operand in operands where !operand.isNaN {
            result = result.intersection([KeyRange(prefix: key(operand))].inverted)
        }
        return result
    }

    /// Only values of the operand's own class; nothing for null and NaN.
    private static func range(_ op: FieldOperator, _ operand: Value) -> KeyRangeSet {
        guard !operand.isNull, !operand.isNaN else { return [] }
        let ofClass = KeyRange(KeyBounds.range(of: operand.typeClass))
        let at = KeyRange(prefix: key(operand))
        let range =
            switch op {
            case .lessThan: KeyRange(lower: ofClass.lower, upper: at.lower)
            case .lessThanOrEqual: KeyRange(lower: ofClass.lower, upper: at.upper)
            case .greaterThan: KeyRange(lower: at.upper, upper: ofClass.upper)
            case .greaterThanOrEqual: KeyRange(lower: at.lower, upper: ofClass.upper)
            default: at
            }
        return range.isEmpty ? [] : [range]
    }
}
