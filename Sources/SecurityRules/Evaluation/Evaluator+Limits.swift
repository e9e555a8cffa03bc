// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// What an evaluation may use up: expressions, as in the emulator, room for the values that it makes, and how far it walks over
/// values, whoever made them. A thousand expressions can double a text or a list so often that no memory holds it, or that
/// nobody sees the end of a comparison.
extension Evaluator {
    static let expressionLimit = 1000
    /// Sixteen times the largest document.
    static let largestRoom = 16 << 20
    /// More than a hundred passes over the largest text.
    static let longestReach = 128 << 20

    @inline(__always)
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

    @inline(never)
    private var exhausted: EvaluationError {
        .exhausted(room < 0 ? .room : reach < 0 ? .reach : .expressions)
    }

    /// Without room or reach, no further expression is evaluated.
    mutating func checkLimits() throws(EvaluationError) {
        guard room < 0 || reach < 0 else { return }
        count = Evaluator.expressionLimit
        throw exhausted
    }

    // MARK: Room

    /// Takes some of the room.
    mutating func spend(_ size: Int) throws(EvaluationError) {
        room -= size
        try checkLimits()
    }

    /// What was made, if there is room for it.
    mutating func paid(_ value: RuleValue) throws(EvaluationError) -> RuleValue {
        try spend(value.extent)
        return value
    }

    /// What a method gave, if there is room for what it has made.
    mutating func paid(
        _ value: RuleValue, by method: Method, of receiver: RuleValue
    ) throws(EvaluationError) -> RuleValue {
        switch method {
        // It was there before.
        case .get: return value
        // All pieces together are as long as the text.
        case .split: try spend(receiver.extent)
        default: break
        }
        return try paid(value)
    }

    /// A list or a map of others, which it shares: whatever walks it walks each of them as often as it is in it.
    mutating func made(_ value: RuleValue) throws(EvaluationError) -> RuleValue {
        try walkAll(value)
        return try paid(value)
    }

    /// The operands of a sum.
    mutating func spendOnTexts(_ left: RuleValue, _ right: RuleValue) throws(EvaluationError) {
        guard case .string(let text) = left, case .string(let other) = right else { return }
        try spend(text.utf8Count + other.utf8Count)
    }
}
