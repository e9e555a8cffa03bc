// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Why an expression has no value. `&&`, `||` and what is not evaluated are all that gets over an error.
package enum EvaluationError: Error, Sendable {
    /// What decides is not known: it was not read yet, or a query's constraints do not imply it.
    case undecided
    case nullValue
    case undefinedProperty(Text)
    case functionNotFound(String)
    case typeMismatch(received: String, expected: String)
    case unreadableResource
    /// Nothing more is evaluated.
    case exhausted(Limit)
    /// Any other, in the words of the emulator.
    case other(String)

    /// What an evaluation may use up.
    package enum Limit: Sendable {
        case expressions
        /// The emulator has neither of these.
        case room, reach
    }

    /// In the words of the emulator.
    package var message: String {
        switch self {
        case .undecided: "evaluation error"
        case .nullValue: "Null value error."
        case .undefinedProperty(let name): "Property \(name) is undefined on object."
        case .functionNotFound(let name): "Function not found error: Name: [\(name)]."
        case .typeMismatch(let received, let expected): "Type error. Received: [\(received)] Expected: [\(expected)]."
        case .unreadableResource: "Variable read error. Variable: [resource]."
        case .exhausted(.expressions):
            "Unable to evaluate the expression as the maximum of \(Evaluator.expressionLimit) expressions to evaluate "
                + "has been reached."
        case .exhausted(.room):
            "Unable to evaluate the expression as the maximum of \(Evaluator.largestRoom) bytes of values has been "
                + "reached."
        case .exhausted(.reach):
            "Unable to evaluate the expression as the maximum of \(Evaluator.longestReach) bytes of values to walk "
                + "over has been reached."
        case .other(let message): message
        }
    }

    var isUndecided: Bool { if case .undecided = self { true } else { false } }

    static let divideByZero = EvaluationError.other("Divide by zero error.")
    static let integerRange = EvaluationError.other(
        "Integer value is out of the [\(Int64.min), \(Int64.max)] range.")

    static func notBound(_ variable: Text) -> EvaluationError {
        .other("Variable \(variable) is not bound in path template.")
    }

    static func indexOutOfBounds(_ index: Int64, _ size: Int) -> EvaluationError {
        .other("Index out of bound error. Index: [\(index)] , size: [\(size)].")
    }

    static func unsupported(_ received: String, expected: [String]) -> EvaluationError {
        .other("Unsupported operation error. Received: \(received). Expected: \(expected.joined(separator: ", ")).")
    }

    static func pattern(_ pattern: String) -> EvaluationError {
        .other("Invalid regular expression pattern. Pattern: \(pattern).")
    }
}
