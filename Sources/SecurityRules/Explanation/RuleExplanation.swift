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
        /// The number of the expression in the program: each evaluation of one expression has the same.
        let node: Program.NodeID
        package let source: SourceRange
        /// The number of expressions around it.
        package let depth: Int
        package let result: Result<RuleValue, EvaluationError>
    }

    package let decision: Decision
    package let statements: [Statement]

    /// The statement that decided: the one that allows, else the last.
    package var decisive: Statement? { statements.last { $0.outcome.allows == decision.isAllowed } ?? statements.last }
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
                steps: trace.steps.map {
                    RuleExplanation.Step(node: $0.node, source: range($0.node), depth: $0.depth, result: $0.result)
                })
        }
        return RuleExplanation(decision: decision, statements: statements)
    }

    /// Where an expression is.
    func range(_ node: Program.NodeID) -> SourceRange {
        let place = program.sources[Int(node)]
        let start = lines.offset(of: place.start)
        let bytes = start..<max(start, place.end)
        return SourceRange(start: place.start, bytes: bytes, text: source.text(bytes.lowerBound, bytes.upperBound))
    }
}
