// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What an evaluation may use up: expressions, as in the emulator, and room for values. A thousand expressions can double
/// a text or a list so often that no memory holds it, or that nobody sees the end of a comparison.
extension Evaluator {
    static let expressionLimit = 1000
    /// Sixteen times the largest document.
    static let largestRoom = 16 << 20

    mutating func countOne() throws(EvaluationError) {
        guard count < Evaluator.expressionLimit else { throw exhausted }
        count += 1
    }

    mutating func count(_ number: Int) throws(EvaluationError) {
        count = min(count + number, Evaluator.expressionLimit + 1)
        guard count <= Evaluator.expressionLimit else {
            count = Evaluator.expressionLimit
            throw exhausted
        }
    }

    private var exhausted: EvaluationError { .exhausted(room < 0 ? .room : .expressions) }

    /// Takes some of the room. Without any left, no further expression is evaluated.
    mutating func spend(_ size: Int) throws(EvaluationError) {
        room -= size
        guard room < 0 else { return }
        count = Evaluator.expressionLimit
        throw exhausted
    }

    /// What a function gave, if there is room for it.
    mutating func paid(_ value: RuleValue) throws(EvaluationError) -> RuleValue {
        try spend(value.extent)
        return value
    }

    /// A list or a map that is made of others: all that is in it counts, as often as it is.
    mutating func spendOnMaking(_ value: RuleValue) throws(EvaluationError) {
        value.takeElements(from: &room)
        try spend(0)
    }

    /// Comparing texts with `==` is too fast to count.
    mutating func spendOnElements(_ value: RuleValue) throws(EvaluationError) {
        switch value {
        case .list, .set, .map: try spend(value.extent)
        default: return
        }
    }

    mutating func spendOnText(_ value: RuleValue) throws(EvaluationError) {
        if case .string(let text) = value { try spend(text.utf8Count) }
    }

    /// The operands of a sum or of an order.
    mutating func spendOnTexts(_ left: RuleValue, _ right: RuleValue) throws(EvaluationError) {
        guard case .string(let text) = left, case .string(let other) = right else { return }
        try spend(text.utf8Count + other.utf8Count)
    }

    /// A pass over all that a method gets, and what it puts together of it.
    mutating func spend(
        on method: Method, _ receiver: RuleValue, _ arguments: [RuleValue]
    ) throws(EvaluationError) {
        try spend(receiver.extent)
        for argument in arguments { try spend(argument.extent) }
        switch method {
        case .concat, .union:
            try spendOnMaking(receiver)
            for argument in arguments { try spendOnMaking(argument) }
        // A character of a pattern's text takes longer than that of another.
        case .matches, .split, .replace: try spend(receiver.extent * 3)
        default: return
        }
    }
}
