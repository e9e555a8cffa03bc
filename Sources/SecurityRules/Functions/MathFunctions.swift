// SPDX-License-Identifier: Apache-2.0

enum MathFunctions {
    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue? {
        if function == .mathPow {
            guard arguments.count == 2, let base = float(arguments[0]), let exponent = float(arguments[1]) else {
                return nil
            }
            return .float(System.power(base, exponent))
        }
        guard arguments.count == 1, let number = float(arguments[0]) else { return nil }
        switch function {
        case .mathAbs:
            if case .int(let whole) = arguments[0] { return .int(whole < 0 ? 0 &- whole : whole) }
            return .float(number.magnitude)
        case .mathCeil: return .float(number.rounded(.up))
        case .mathFloor: return .float(number.rounded(.down))
        case .mathRound:
            if case .int = arguments[0], number.magnitude < 0x1p53 { return arguments[0] }
            return .int(Conversions.saturated(half(number)))
        case .mathSqrt: return .float(number.squareRoot())
        default: return .bool(number.isNaN)
        }
    }

    /// To the nearest integer, halves upwards.
    private static func half(_ number: Double) -> Double {
        let floor = number.rounded(.down)
        return number - floor >= 0.5 ? floor + 1 : floor
    }

    static func float(_ value: RuleValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }
}
