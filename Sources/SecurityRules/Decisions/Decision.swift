// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Whether a request is allowed, and why.
package struct Decision: Sendable {
    /// One evaluation of a statement's condition.
    package struct Outcome: Sendable {
        package let method: RequestMethod
        /// Where the condition begins.
        package let position: SourcePosition
        package let result: Result<RuleValue, EvaluationError>

        /// Whether the statement allows: only the bool true does.
        package var allows: Bool { if case .success(.bool(true)) = result { true } else { false } }

        /// In the words of the emulator, which calls a condition that was true false, too.
        var text: String {
            let place = "for '\(method.rawValue)' @ L\(position.line)"
            switch result {
            case .success(.bool): return "false \(place)"
            case .success(let value):
                let error = EvaluationError.typeMismatch(received: value.type.rawValue, expected: "bool")
                return "\(error.message) \(place)"
            case .failure(.undecided): return "evaluation error at L\(position.line):\(position.column) \(place)"
            case .failure(let error): return "\(error.message) \(place)"
            }
        }
    }

    package let isAllowed: Bool
    /// The evaluations in their order, those without documents first, without one that allowed and ended the request.
    package let outcomes: [Outcome]
    /// Whether it asked for the request's time, so that the same request may be decided otherwise later.
    package var readsTime = false

    /// The emulator's explanation; empty if the request is allowed. Production only says that permissions are missing.
    package var message: String {
        if isAllowed { return "" }
        guard !outcomes.isEmpty else { return "No matching allow statements" }
        return Text("\n" + outcomes.map(\.text).joined(separator: ", ")).withoutLoneSurrogates
    }
}
