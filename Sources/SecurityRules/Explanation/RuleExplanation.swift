// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// How rules came to a decision: all that was evaluated, statement by statement.
package struct RuleExplanation: Sendable {
    /// One evaluation of a statement's condition.
    package struct Statement: Sendable {
        package let outcome: Decision.Outcome
        /// Whether documents could be read. What needs them is open before.
        package let mayRead: Bool
        /// The condition and its parts in the order in which they began; empty for a statement without a condition.
        package let steps: [Step]
    }

    /// One evaluation of an expression.
    package struct Step: Sendable {
        let evaluated: EvaluationTrace.Step
        package let source: SourceRange
        /// The number of expressions around it.
        package var depth: Int { evaluated.depth }
        package var result: Result<RuleValue, EvaluationError> { evaluated.result }
    }

    package let decision: Decision
    package let statements: [Statement]

    /// The statement that decided: the one that allows, else the last.
    package var decisive: Statement? { statements.last { $0.outcome.allows == decision.isAllowed } ?? statements.last }
}

/// What a request evaluated of its rules, statement by statement.
package struct RuleEvaluation: Sendable {
    let statements: [[EvaluationTrace.Step]]
}

/// A part of a source.
package struct SourceRange: Sendable, Hashable {
    package let start: SourcePosition
    /// The bytes of the source.
    package let bytes: Range<Int>
    package let text: String
}

extension RuleSet {
    /// Decides a request as `decide` does, and keeps all that was evaluated.
    package func explain(
        _ request: RuleRequest, documents: @escaping (ResourcePath) -> Fields?
    ) -> RuleExplanation {
        let (decision, traces) = DecisionMaker.trace(program, request, stored: documents)
        let statements = zip(decision.outcomes, traces).map { outcome, trace in
            RuleExplanation.Statement(
                outcome: outcome, mayRead: trace.mayRead,
                steps: trace.steps.map { RuleExplanation.Step(evaluated: $0, source: range($0.node)) })
        }
        return RuleExplanation(decision: decision, statements: statements)
    }

    /// Decides a request as `decide` does, and keeps what ``RuleCoverage`` counts.
    func evaluate(
        _ request: RuleRequest, documents: @escaping (ResourcePath) -> Fields?
    ) -> (Decision, RuleEvaluation) {
        let (decision, traces) = DecisionMaker.trace(program, request, stored: documents)
        return (decision, RuleEvaluation(statements: traces.map(\.steps)))
    }

    /// Where an expression is.
    func range(_ node: Program.NodeID) -> SourceRange {
        let place = program.sources[Int(node)]
        let start = lines.offset(of: place.start)
        let bytes = start..<max(start, place.end)
        return SourceRange(start: place.start, bytes: bytes, text: source.text(bytes.lowerBound, bytes.upperBound))
    }

    /// The first word of an expression, or its first character.
    func rangeOfFirstToken(of node: Program.NodeID) -> SourceRange {
        let whole = range(node)
        let length = source.bytes[whole.bytes].prefix(while: Lexer.continuesWord).count
        return part(whole.start, whole.bytes.lowerBound, whole.bytes.lowerBound + max(1, length))
    }

    /// What stands from a position up to a byte.
    func range(from start: SourcePosition, to end: Int) -> SourceRange { part(start, lines.offset(of: start), end) }

    private func part(_ start: SourcePosition, _ from: Int, _ to: Int) -> SourceRange {
        SourceRange(start: start, bytes: from..<max(from, to), text: source.text(from, max(from, to)))
    }
}
