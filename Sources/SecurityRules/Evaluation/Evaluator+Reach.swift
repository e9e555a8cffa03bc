// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

// Passes over values.
extension Evaluator {
    mutating func walk(_ size: Int) throws(EvaluationError) {
        reach -= size
        try checkLimits()
    }

    /// A pass over all that is in a value, too.
    mutating func walkAll(_ value: RuleValue) throws(EvaluationError) {
        value.use(&reach)
        try checkLimits()
    }

    mutating func walkText(_ value: RuleValue) throws(EvaluationError) {
        if case .string(let text) = value { try walk(text.utf8Count) }
    }

    /// The operands of an order.
    mutating func walkTexts(_ left: RuleValue, _ right: RuleValue) throws(EvaluationError) {
        guard case .string(let text) = left, case .string(let other) = right else { return }
        try walk(text.utf8Count + other.utf8Count)
    }

    /// The operands of `==`. Comparing texts is too fast to count, and what differs in type or length is not walked. Of sets, all of
    /// the right one is hashed before the first comparison.
    mutating func walkEqual(_ left: RuleValue, _ right: RuleValue) throws(EvaluationError) {
        switch (left, right) {
        case (.list(let first), .list(let second)) where first.count == second.count: break
        case (.set(let first), .set(let second)) where first.elements.count == second.elements.count: break
        case (.map(let first), .map(let second)) where first.count == second.count: break
        case (.path(let first), .path(let second)) where first.segments.count == second.segments.count: break
        case (.constraint, .constraint): return
        case (.constraint(let constraint), let value), (let value, .constraint(let constraint)):
            for known in constraint.comparisons { try walkEqual(known.value, value) }
            return
        default: return
        }
        try walkAll(left)
        try walkAll(right)
    }

    /// `in` compares with element after element, each time with all that is in the one that is sought.
    mutating func walkContainer(_ container: RuleValue, _ element: RuleValue) throws(EvaluationError) {
        if case .map = container { return }
        switch element {
        case .list, .set, .map, .path:
            try walkAll(container)
            element.use(&reach, times: container.elementCount)
            try checkLimits()
        default:
            try walk(container.extent)
            try walkLongText(element, in: container)
        }
    }

    /// A text or bytes, compared with those of the same length.
    private mutating func walkLongText(_ element: RuleValue, in container: RuleValue) throws(EvaluationError) {
        let extent = element.extent
        guard extent > 1_000, case .list(let elements) = container else { return }
        try walk(elements.count(ofExtent: extent) * extent)
    }

    /// A pass over what a method gets, and over all that is in it, if that is compared or put together. What a pattern does
    /// with a text, it counts itself.
    mutating func walkOperands(
        of method: Method, _ receiver: RuleValue, _ arguments: [RuleValue]
    ) throws(EvaluationError) {
        switch method {
        case .hasAll, .hasAny, .hasOnly, .removeAll, .toSet, .union, .intersection, .difference, .concat, .join:
            try walkAll(receiver)
            for argument in arguments { try walkAll(argument) }
        default:
            try walk(receiver.extent)
            for argument in arguments { try walk(argument.extent) }
        }
        switch (method, receiver) {
        case (.changedKeys, .mapDiff(let diff)), (.unchangedKeys, .mapDiff(let diff)),
            (.affectedKeys, .mapDiff(let diff)):
            try walkAll(.map(diff.left))
            try walkAll(.map(diff.right))
        default: return
        }
    }
}
