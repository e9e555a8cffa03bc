// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// `+ - * / %`.
enum Arithmetic {
    static func apply(
        _ operation: BinaryOperator, _ left: RuleValue, _ right: RuleValue
    ) throws(EvaluationError) -> RuleValue {
        switch (left, right) {
        case (.int(let left), .int(let right)): return .int(try integers(operation, left, right))
        case (.int(let left), .float(let right)): return .float(floats(operation, Double(left), right))
        case (.float(let left), .int(let right)): return .float(floats(operation, left, Double(right)))
        case (.float(let left), .float(let right)): return .float(floats(operation, left, right))
        case (.string(let left), .string(let right)) where operation == .add: return .string(left + right)
        default:
            if let result = try times(operation, left, right) { return result }
            let sign = operation.rawValue
            throw .unsupported(
                "\(left.type.rawValue) \(sign) \(right.type.rawValue)",
                expected: operands(operation).map { "\($0) \(sign) \($1)" })
        }
    }

    private static func integers(
        _ operation: BinaryOperator, _ left: Int64, _ right: Int64
    ) throws(EvaluationError) -> Int64 {
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = left.addingReportingOverflow(right)
        case .subtract: result = left.subtractingReportingOverflow(right)
        case .multiply: result = left.multipliedReportingOverflow(by: right)
        default:
            guard right != 0 else { throw .divideByZero }
            // MIN / -1 is MIN, as Java computes it.
            if right == -1 { return operation == .divide ? 0 &- left : 0 }
            return operation == .divide ? left / right : left % right
        }
        guard !result.overflow else { throw .integerRange }
        return result.partialValue
    }

    private static func floats(_ operation: BinaryOperator, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        default: left.truncatingRemainder(dividingBy: right)
        }
    }

    private static func times(
        _ operation: BinaryOperator, _ left: RuleValue, _ right: RuleValue
    ) throws(EvaluationError) -> RuleValue? {
        switch (operation, left, right) {
        case (.add, .duration(let left), .duration(let right)): return .duration(try Times.sum(left, right, 1))
        case (.subtract, .duration(let left), .duration(let right)): return .duration(try Times.sum(left, right, -1))
        case (.add, .duration(let duration), .timestamp(let time)),
            (.add, .timestamp(let time), .duration(let duration)):
            return .timestamp(try Times.shift(time, duration, 1))
        case (.subtract, .timestamp(let time), .duration(let duration)):
            return .timestamp(try Times.shift(time, duration, -1))
        case (.subtract, .timestamp(let left), .timestamp(let right)):
            let nanoseconds = Int64(left.nanoseconds) - Int64(right.nanoseconds)
            return .duration(try Times.duration(left.seconds - right.seconds, nanoseconds))
        default: return nil
        }
    }

    private static func operands(_ operation: BinaryOperator) -> [(String, String)] {
        let numbers = [("int", "int"), ("float", "float")]
        switch operation {
        case .add:
            return numbers + [
                ("string", "string"), ("duration", "duration"), ("duration", "timestamp"), ("timestamp", "duration"),
            ]
        case .subtract:
            return numbers + [("duration", "duration"), ("timestamp", "duration"), ("timestamp", "timestamp")]
        default: return numbers
        }
    }
}
