// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// `int()`, `float()`, `string()`, `path()` and `debug()`.
enum Conversions {
    static func call(_ function: FreeFunction, _ arguments: [RuleValue]) throws(EvaluationError) -> RuleValue? {
        if function == .debug {
            guard let first = arguments.first else {
                throw .other("Service call error. Function: [debug], Argument: [].")
            }
            return first
        }
        guard arguments.count == 1 else { return nil }
        switch (function, arguments[0]) {
        case (.int, .int), (.float, .float): return arguments[0]
        case (.int, .float(let number)): return .int(saturated(number))
        case (.int, .string(let text)): return .int(try int(text))
        case (.float, .int(let number)): return .float(Double(number))
        case (.float, .string(let text)):
            guard let number = JavaNumbers.parse(text.string) else { throw conversion(text, "float") }
            return .float(number)
        case (.string, let value): return string(value)
        case (.path, .string(let text)): return .path(try Paths.parse(text))
        default: return nil
        }
    }

    /// Nil for types that have no text.
    static func string(_ value: RuleValue) -> RuleValue? {
        switch value {
        case .null: .string("null")
        case .bool(let bool): .string(bool ? "true" : "false")
        case .int(let number): .string(Text(String(number)))
        case .float(let number): .string(Text(JavaNumbers.text(number)))
        case .string: value
        case .path(let path): .string(Paths.text(path))
        default: nil
        }
    }

    /// Towards zero; NaN is 0.
    static func saturated(_ number: Double) -> Int64 {
        if number.isNaN { return 0 }
        if number >= 9_223_372_036_854_775_808 { return .max }
        return number < -9_223_372_036_854_775_808 ? .min : Int64(number)
    }

    /// A sign and decimal digits of any script.
    private static func int(_ text: Text) throws(EvaluationError) -> Int64 {
        var scalars = Array(text.string.unicodeScalars)[...]
        let isNegative = scalars.first == "-"
        if isNegative || scalars.first == "+" { scalars.removeFirst() }
        guard !scalars.isEmpty else { throw conversion(text, "int") }
        var number: Int64 = 0
        for scalar in scalars {
            guard scalar.properties.generalCategory == .decimalNumber, let digit = scalar.properties.numericValue else {
                throw conversion(text, "int")
            }
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { throw conversion(text, "int") }
            number = sum
        }
        if isNegative { return number }
        guard number != .min else { throw conversion(text, "int") }
        return -number
    }

    private static func conversion(_ text: Text, _ type: String) -> EvaluationError {
        .other("Type conversion error. Argument: [\(text)], From type: [string], To type: [\(type)].")
    }
}
