// SPDX-License-Identifier: Apache-2.0

/// A change of one field that depends on its stored value or on the time (W-17 to W-22).
package struct FieldTransform: Sendable {
    package enum Operation: Sendable {
        case serverTimestamp
        case increment(Value)
        case maximum(Value)
        case minimum(Value)
        case appendMissingElements([Value])
        case removeAllFromArray([Value])
    }

    package let path: FieldPath
    package let operation: Operation

    package init(_ path: FieldPath, _ operation: Operation) {
        self.path = path
        self.operation = operation
    }

    /// The field's new value, and the transform's result: null for array transforms (W-22).
    package func apply(to stored: Value?, at time: Timestamp) -> (value: Value, result: Value) {
        switch operation {
        case .serverTimestamp:
            let value = Value.timestamp(time.inWholeMilliseconds)
            return (value, value)
        case .increment(let operand):
            let value = FieldTransform.sum(stored, operand)
            return (value, value)
        case .maximum(let operand):
            let value = FieldTransform.extreme(stored, operand) { $0 < 0 }
            return (value, value)
        case .minimum(let operand):
            let value = FieldTransform.extreme(stored, operand) { $0 > 0 }
            return (value, value)
        case .appendMissingElements(let operands):
            return (.array(FieldTransform.union(FieldTransform.elements(stored), operands)), .null)
        case .removeAllFromArray(let operands):
            let removed = OperandSet(operands)
            return (.array(FieldTransform.elements(stored).filter { removed.place(of: $0) == nil }), .null)
        }
    }

    private static func union(_ elements: [Value], _ operands: [Value]) -> [Value] {
        let added = OperandSet(operands)
        var isThere = [Bool](repeating: false, count: added.count)
        for element in elements {
            if let place = added.place(of: element) { isThere[place] = true }
        }
        var elements = elements
        for operand in operands {
            guard let place = added.place(of: operand), !isThere[place] else { continue }
            isThere[place] = true
            elements.append(operand)
        }
        return elements
    }

    private static func elements(_ stored: Value?) -> [Value] {
        if case .array(let elements)? = stored { elements } else { [] }
    }

    /// Integers saturate. If either operand is a double, the sum is a double (W-18).
    private static func sum(_ stored: Value?, _ operand: Value) -> Value {
        switch (stored, operand) {
        case (.integer(let left)?, .integer(let right)):
            let (sum, overflow) = left.addingReportingOverflow(right)
            return .integer(overflow ? (right > 0 ? .max : .min) : sum)
        case (.integer(let left)?, .double(let right)): return .double(Double(left) + right)
        case (.double(let left)?, .integer(let right)): return .double(left + Double(right))
        case (.double(let left)?, .double(let right)): return .double(left + right)
        default: return operand
        }
    }

    /// Of equal numbers, the stored one wins. NaN wins in both directions (W-19).
    private static func extreme(_ stored: Value?, _ operand: Value, _ prefersOperand: (Int) -> Bool) -> Value {
        guard let stored, stored.typeClass == .number, !stored.isNaN else {
            return stored?.isNaN == true ? stored! : operand
        }
        if operand.isNaN { return operand }
        return prefersOperand(Value.compare(stored, operand)) ? operand : stored
    }
}
