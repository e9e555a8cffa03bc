// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

/// What the expressions of rules came to over many requests.
package struct RuleCoverage: Sendable {
    /// The values of one expression, in the order in which they were first seen.
    struct Record: Sendable {
        var values: [(value: Outcome, count: Int)] = []
        /// How often it was evaluated.
        var visits = 0
        /// How much more text of values is kept.
        fileprivate var room = RuleCoverage.mostText
    }

    /// What an expression came to.
    enum Outcome: Sendable {
        case bool(Bool)
        case value(JSONNode, text: String)
        case undecided
        case failed(cause: Program.NodeID, message: String)
    }

    /// More different values of one expression are not kept, and those that are kept not counted further.
    fileprivate static let mostValues = 100
    /// Nor are they if the texts of those before are as long as this.
    fileprivate static let mostText = 1_000_000

    let rules: RuleSet
    private(set) var records: [Program.NodeID: Record] = [:]

    package init(_ rules: RuleSet) {
        self.rules = rules
    }

    package mutating func add(_ explanation: RuleExplanation) {
        for statement in explanation.statements { add(statement.steps.map(\.evaluated)) }
    }

    package mutating func add(_ evaluation: RuleEvaluation) {
        for steps in evaluation.statements { add(steps) }
    }

    private mutating func add(_ steps: [EvaluationTrace.Step]) {
        for (place, step) in steps.enumerated() {
            let cause = if case .failure(let error) = step.result { cause(error, place, steps) } else { step.node }
            records[step.node, default: Record()].add(step.result, cause: cause)
        }
    }

    /// The innermost step that failed in the same way. A variable failed where its value was made.
    private func cause(_ error: EvaluationError, _ place: Int, _ steps: [EvaluationTrace.Step]) -> Program.NodeID {
        let message = error.message
        func failedAlike(_ step: EvaluationTrace.Step) -> Bool {
            if case .failure(let other) = step.result { other.message == message } else { false }
        }
        var cause = place
        for inner in steps.indices[(place + 1)...] {
            guard steps[inner].depth > steps[place].depth else { break }
            if steps[inner].depth > steps[cause].depth, failedAlike(steps[inner]) { cause = inner }
        }
        guard isVariable(steps[cause].node) else { return steps[cause].node }
        var depth = steps[cause].depth
        for step in steps[..<cause].reversed() {
            // Those around the variable fail because of it.
            if step.depth < depth {
                depth = step.depth
            } else if failedAlike(step), !isVariable(step.node) {
                return step.node
            }
        }
        return steps[cause].node
    }

    private func isVariable(_ node: Program.NodeID) -> Bool {
        if case .local = rules.program.nodes[Int(node)] { true } else { false }
    }

    // MARK: Counts

    /// How many expressions there are, and how many were evaluated, true and false.
    package var summary: (expressions: Int, reached: Int, bothWays: Int, bools: Int) {
        var (all, reached, both, bools) = (0, 0, 0, 0)
        for node in nodes {
            all += 1
            guard let record = records[node] else { continue }
            reached += 1
            if record.hasBeen(true) || record.hasBeen(false) { bools += 1 }
            if record.hasBeen(true), record.hasBeen(false) { both += 1 }
        }
        return (all, reached, both, bools)
    }

    /// The expressions that were never evaluated, outermost ones only.
    package var unreached: [SourceRange] {
        var ranges: [SourceRange] = []
        var open = Array(roots.reversed())
        while let node = open.popLast() {
            if records[node] == nil { ranges.append(rules.range(node)) } else { open += children(node).reversed() }
        }
        return ranges
    }

    var nodes: [Program.NodeID] {
        var nodes: [Program.NodeID] = []
        var open = roots
        while let node = open.popLast() {
            nodes.append(node)
            open += children(node)
        }
        return nodes
    }

    /// Conditions, and the values and results of functions, in the order of the source.
    private var roots: [Program.NodeID] {
        let program = rules.program
        let functions = program.functions.flatMap { $0.bindings + [$0.result] }
        return (functions + program.statements.compactMap(\.condition)).sorted {
            program.sources[Int($0)].start < program.sources[Int($1)].start
        }
    }

    /// Without literals, which have only one value.
    func children(_ node: Program.NodeID) -> [Program.NodeID] {
        rules.program.children(node).filter {
            switch rules.program.nodes[Int($0)] {
            case .constant, .segment: false
            default: true
            }
        }
    }
}

extension RuleCoverage.Record {
    fileprivate mutating func add(
        _ result: Result<RuleValue, EvaluationError>, cause: Program.NodeID
    ) {
        visits += 1
        switch result {
        case .success(.bool(let value)): count(.bool(value))
        // The text of a document is long: those of a full list are not looked at.
        case .success(let value) where values.count < RuleCoverage.mostValues && room > 0:
            let json = value.beginning.json
            count(.value(json, text: json.text()))
        case .success: return
        case .failure(.undecided): count(.undecided)
        case .failure(let error): count(.failed(cause: cause, message: error.beginningOfMessage))
        }
    }

    private mutating func count(_ outcome: RuleCoverage.Outcome) {
        if let place = values.firstIndex(where: { $0.value == outcome }) {
            values[place].count += 1
        } else if values.count < RuleCoverage.mostValues, room > 0 || outcome.length == 0 {
            values.append((outcome, 1))
            room -= outcome.length
        }
    }

    func hasBeen(_ value: Bool) -> Bool { values.contains { $0.value == .bool(value) } }
}

extension RuleCoverage.Outcome {
    /// How much text it keeps.
    fileprivate var length: Int {
        switch self {
        case .bool, .undecided: 0
        case .value(_, let text): text.utf8.count
        case .failed(_, let message): message.utf8.count
        }
    }
}

extension RuleCoverage.Outcome: Equatable {
    static func == (lhs: Self, rhs: Self) -> Bool {
        switch (lhs, rhs) {
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.value(_, let lhs), .value(_, let rhs)): lhs == rhs
        case (.undecided, .undecided): true
        case (.failed(let lhs, let lhsText), .failed(let rhs, let rhsText)): lhs == rhs && lhsText == rhsText
        default: false
        }
    }
}
