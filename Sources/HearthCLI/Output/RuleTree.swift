// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import QueryPlanner
internal import SecurityRules

/// How rules decided a request, as a tree for people and as JSON.
struct RuleTree {
    private let answer: RuleCaseAnswer
    private let style: Style

    init(_ answer: RuleCaseAnswer, _ style: Style) {
        self.answer = answer
        self.style = style
    }

    // MARK: Text

    var lines: [String] {
        var lines = [answer.isAllowed ? style.green("allowed") : style.red("denied")]
        for explanation in answer.explanations {
            if explanation.statements.isEmpty { lines.append("no allow statement matches the request") }
            for statement in explanation.statements { lines += self.lines(statement) }
        }
        if let text = missing { lines.append("It would be allowed with \(text)") }
        return lines
    }

    private func lines(_ statement: RuleExplanation.Statement) -> [String] {
        let outcome = statement.outcome
        let place = "\(outcome.position.line):\(outcome.position.column)"
        let phase = statement.mayRead ? "" : ", before reading"
        var lines = [
            "\(style.cyan("allow \(outcome.method.rawValue)")) at \(place)\(phase): \(RuleTree.text(outcome.result))"
        ]
        for step in statement.steps {
            let source = step.source.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let indent = String(repeating: "  ", count: step.depth + 1)
            lines.append("\(indent)\(RuleTree.shortened(source)) \(style.dim("→")) \(RuleTree.text(step.result))")
        }
        return lines
    }

    private static let width = 70

    private static func shortened(_ text: String) -> String {
        text.count > width ? "\(text.prefix(width - 1))…" : text
    }

    private static func text(_ result: Result<RuleValue, EvaluationError>) -> String {
        switch result {
        case .success(let value): shortened(value.beginning.text)
        case .failure(.undecided): "open: only reading, or a filter of the query, can decide it"
        case .failure(let error): "error: \(error.beginningOfMessage.split(separator: "\n").joined(separator: " "))"
        }
    }

    /// The filters that a refused query lacks.
    private var missing: String? {
        guard let missing = answer.missing else { return nil }
        var parts = missing.filters.map(RuleTree.text)
        if let limit = missing.limit { parts.append(".limit(\(limit))") }
        return parts.joined()
    }

    private static func text(_ filter: Filter) -> String {
        switch filter {
        case .field(let path, let comparison, let value):
            ".where(\"\(path.wire)\", \"\(signs[comparison] ?? comparison.rawValue)\", \(RuleValue(value).text))"
        case .unary(let path, let comparison):
            ".where(\"\(path.wire)\", \"\(comparison == .isNull ? "==" : "!=")\", null)"
        case .and(let filters), .or(let filters): filters.map(text).joined()
        }
    }

    private static let signs: [FieldOperator: String] = [
        .lessThan: "<", .lessThanOrEqual: "<=", .greaterThan: ">", .greaterThanOrEqual: ">=", .equal: "==",
        .notEqual: "!=", .in: "in", .notIn: "not-in", .arrayContains: "array-contains",
        .arrayContainsAny: "array-contains-any",
    ]

    // MARK: JSON

    var json: JSONNode {
        var members = [
            JSONMember(key: "allow", node: .boolean(answer.isAllowed)),
            JSONMember(key: "status", node: .string(answer.status.rawValue)),
            JSONMember(key: "message", node: .string(answer.message)),
            JSONMember(key: "statements", node: .array(answer.explanations.flatMap(\.statements).map(node))),
        ]
        if let missing { members.append(JSONMember(key: "wouldAllow", node: .string(missing))) }
        return JSONNode(.object(members))
    }

    private func node(_ statement: RuleExplanation.Statement) -> JSONNode {
        let outcome = statement.outcome
        return .object([
            "method": .string(outcome.method.rawValue), "line": .integer(Int64(outcome.position.line)),
            "column": .integer(Int64(outcome.position.column)), "mayRead": .boolean(statement.mayRead),
            "allows": .boolean(outcome.allows), "result": RuleTree.node(outcome.result),
            "steps": .array(statement.steps.map(node)),
        ])
    }

    private func node(_ step: RuleExplanation.Step) -> JSONNode {
        .object([
            "line": .integer(Int64(step.source.start.line)), "column": .integer(Int64(step.source.start.column)),
            "start": .integer(Int64(step.source.bytes.lowerBound)),
            "end": .integer(Int64(step.source.bytes.upperBound)), "source": .string(step.source.text),
            "depth": .integer(Int64(step.depth)), "result": RuleTree.node(step.result),
        ])
    }

    private static func node(_ result: Result<RuleValue, EvaluationError>) -> JSONNode {
        switch result {
        case .success(let value): value.beginning.json
        case .failure(.undecided): .object(["undefined": .object([:])])
        case .failure(let error):
            .object(["undefined": .object(["causeMessage": .string(error.beginningOfMessage)])])
        }
    }
}
