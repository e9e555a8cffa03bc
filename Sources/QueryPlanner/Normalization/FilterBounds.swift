// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The ascending key bytes that a filter on one field matches. The bounds are exact: all encoded values inside match,
/// and no others.
enum FilterBounds {
    /// The values that an inequality filter matches (V-27, V-29, V-30, V-32, V-36). A missing field has no key, so it
    /// never matches.
    static func ranges(of leaf: Filter) -> KeyRangeSet {
        switch leaf {
        case .unary(_, .isNotNull): notNull
        case .unary(_, .isNotNaN): notNull.intersection([KeyRange.notANumber].inverted)
        case .unary(_, .isNull): [KeyRange(of: .null)]
        case .unary(_, .isNaN): [.notANumber]
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

    private static let notNull: KeyRangeSet = [KeyRange(lower: KeyRange(of: .boolean).lower, upper: [])]

    /// A null operand makes the filter match nothing. NaN excludes nothing (V-30, and V-31 as recorded for `!= NaN`).
    private static func ranges(excluding operands: [Value]) -> KeyRangeSet {
        guard !operands.contains(where: \.isNull) else { return [] }
        var result = notNull
        for operand in operands where !operand.isNaN {
            result = result.intersection([KeyRange(prefix: key(operand))].inverted)
        }
        return result
    }

    /// Only values of the operand's type class match. Null and NaN match nothing.
    private static func range(_ op: FieldOperator, _ operand: Value) -> KeyRangeSet {
        guard !operand.isNull, !operand.isNaN else { return [] }
        let ofClass = KeyRange(of: operand.typeClass)
        let key = key(operand)
        let range =
            switch op {
            case .lessThan: KeyRange(lower: ofClass.lower, upper: key)
            case .lessThanOrEqual: KeyRange(lower: ofClass.lower, upper: KeyRange.successor(of: key))
            case .greaterThan: KeyRange(lower: KeyRange.successor(of: key), upper: ofClass.upper)
            case .greaterThanOrEqual: KeyRange(lower: key, upper: ofClass.upper)
            default: KeyRange(prefix: key)
            }
        return range.isEmpty ? [] : [range]
    }
}
