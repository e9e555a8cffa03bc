// SPDX-License-Identifier: Apache-2.0

/// Minus signs, as the official compiler sees them.
extension Checker {
    /// The digits are the operand of the minus sign.
    mutating func inferNegative(_ id: ExpressionID, _ expected: TypeSet?) -> TypeSet {
        let result: TypeSet = [.int, .float, .duration]
        let types = ArithmeticTypes(negatedFor: expected).left
        if admits(result, expected, id), !types.meets([.int]), let digits = tree.digits[id] {
            warn(digits, "Invalid type. Received one of [int]. Expected one of \(types.names).")
        }
        return result
    }

    /// One pair of parentheses belongs to the minus sign before it.
    func withoutParentheses(_ id: ExpressionID) -> ExpressionID {
        if case .parenthesized(let inner) = tree[id].kind { inner } else { id }
    }
}
