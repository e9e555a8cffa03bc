// SPDX-License-Identifier: Apache-2.0

/// The types that the operands of an arithmetic operator may have if it is to come to one of some types. Each operand is judged without the
/// other one, as the official compiler does.
struct ArithmeticTypes {
    let left: TypeSet
    let right: TypeSet

    /// - Parameter expected: nil for any.
    init(_ binary: BinaryOperator, for expected: TypeSet?) {
        self.init(ArithmeticTypes.rows(binary), for: expected)
    }

    /// Of a minus sign, whose operand is the left one.
    init(negatedFor expected: TypeSet?) {
        self.init(ArithmeticTypes.numbers + ArithmeticTypes.negations, for: expected)
    }

    private typealias Row = (left: RuleType, right: RuleType, results: TypeSet)

    private init(_ rows: [Row], for expected: TypeSet?) {
        let rows = rows.filter { row in expected.map { row.results.meets($0) } ?? true }
        left = ArithmeticTypes.set(rows.map(\.left))
        right = ArithmeticTypes.set(rows.map(\.right))
    }

    private static func set(_ types: [RuleType]) -> TypeSet {
        TypeSet(types.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// An int and a float are mixed freely.
    private static let numbers: [Row] = [(.int, .int, [.int, .float]), (.float, .float, [.int, .float])]
    private static let negations: [Row] = [(.duration, .duration, [.duration])]
    private static let sums: [Row] = [
        (.string, .string, [.string]), (.duration, .duration, [.duration]), (.duration, .timestamp, [.timestamp]),
        (.timestamp, .duration, [.timestamp]),
    ]
    private static let differences: [Row] = [
        (.duration, .duration, [.duration]), (.timestamp, .timestamp, [.duration]),
        (.timestamp, .duration, [.timestamp]),
    ]

    private static func rows(_ binary: BinaryOperator) -> [Row] {
        switch binary {
        case .add: numbers + sums
        case .subtract: numbers + differences
        default: numbers
        }
    }
}
