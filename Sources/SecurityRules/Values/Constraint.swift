// SPDX-License-Identifier: Apache-2.0

/// What a query's filters say of a field: all comparisons hold for every document that the query may return.
package struct Constraint: Sendable {
    enum Comparison: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, contains
        /// An equality filter with null or NaN, from which `!= null` follows, as from every comparison, and any `==` and
        /// `!=` with a bool. The filters IS_NULL and IS_NAN give values.
        case equalUnknowable
    }

    let comparisons: [(comparison: Comparison, value: RuleValue)]

    /// Whether an element is in every document's list, as one `array-contains` of it says.
    func contains(_ element: RuleValue) -> Bool {
        comparisons.contains { $0.comparison == .contains && element.isSame(as: $0.value) }
    }

    /// Whether a comparison with a value follows from one of these.
    func implies(_ comparison: BinaryOperator, _ value: RuleValue) -> Bool {
        comparisons.contains { Constraint.implies($0.comparison, $0.value, comparison, value) }
    }

    private static func implies(
        _ known: Comparison, _ bound: RuleValue, _ asked: BinaryOperator, _ value: RuleValue
    ) -> Bool {
        if asked == .notEqual, case .null = value { return true }
        if case .equal = known {
            if isMixed(bound, value) { return asked == .notEqual }
            return isComparable(bound, value) && holds(asked, bound, value)
        }
        if case .equalUnknowable = known { return value.isOf(.bool) && (asked == .equal || asked == .notEqual) }
        switch (known, asked) {
        case (.notEqual, .notEqual): return !isMixed(bound, value) && bound.equals(value)
        case (.less, .less), (.lessOrEqual, .lessOrEqual), (.less, .lessOrEqual):
            return ordered(bound, value) { $0 <= 0 }
        case (.lessOrEqual, .less): return ordered(bound, value) { $0 < 0 }
        case (.greater, .greater), (.greaterOrEqual, .greaterOrEqual), (.greater, .greaterOrEqual):
            return ordered(bound, value) { $0 >= 0 }
        case (.greaterOrEqual, .greater): return ordered(bound, value) { $0 > 0 }
        case (.less, .notEqual): return ordered(bound, value) { $0 <= 0 }
        case (.lessOrEqual, .notEqual): return ordered(bound, value) { $0 < 0 }
        case (.greater, .notEqual): return ordered(bound, value) { $0 >= 0 }
        case (.greaterOrEqual, .notEqual): return ordered(bound, value) { $0 > 0 }
        default: return false
        }
    }

    private static func isComparable(_ bound: RuleValue, _ value: RuleValue) -> Bool {
        bound.type == value.type || bound.isOf(.number) && value.isOf(.number)
    }

    /// A float of the query and an int of the rule differ for the emulator, whatever they are, and have no order.
    private static func isMixed(_ bound: RuleValue, _ value: RuleValue) -> Bool {
        if case .float = bound, case .int = value { true } else { false }
    }

    /// Bounds of different types say nothing of each other.
    private static func ordered(_ bound: RuleValue, _ value: RuleValue, _ holds: (Int) -> Bool) -> Bool {
        !isMixed(bound, value) && bound.compared(to: value).map(holds) ?? false
    }

    private static func holds(_ asked: BinaryOperator, _ left: RuleValue, _ right: RuleValue) -> Bool {
        switch asked {
        case .equal: return left.equals(right)
        case .notEqual: return !left.equals(right)
        case .less: return left.compared(to: right).map { $0 < 0 } ?? false
        case .lessOrEqual: return left.compared(to: right).map { $0 <= 0 } ?? false
        case .greater: return left.compared(to: right).map { $0 > 0 } ?? false
        case .greaterOrEqual: return left.compared(to: right).map { $0 >= 0 } ?? false
        default: return false
        }
    }
}
