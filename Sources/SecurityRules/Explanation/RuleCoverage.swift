// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

/// What the expressions of rules came to over many requests.
package struct RuleCoverage: Sendable {
    /// The values of one expression, in the order in which they were first seen.
    fileprivate struct Record: Sendable {
        var values: [(value: Outcome, count: Int)] = []
        /// How often it was evaluated.
        var visits = 0
    }

    /// What an expression came to.
    fileprivate enum Outcome: Sendable {
        case bool(Bool)
        case value(JSONNode, text: String)
        case undecided
        case failed(cause: Program.NodeID, message: String)
    }

    private let rules: RuleSet
    private var records: [Program.NodeID: Record] = [:]

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

    private var nodes: [Program.NodeID] {
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
    private func children(_ node: Program.NodeID) -> [Program.NodeID] {
        rules.program.children(node).filter {
            switch rules.program.nodes[Int($0)] {
            case .constant, .segment: false
            default: true
            }
        }
    }

    // MARK: The emulator's form

    /// As the emulator answers `:ruleCoverage`.
    package func report(name: String) -> JSONNode {
        let content = rules.source.text(0, rules.source.bytes.count)
        let file = JSONNode.object(["name": .string(name), "content": .string(content)])
        return .object([
            "rules": .object(["files": .array([file])]), "report": .array(trees),
        ])
    }

    /// Functions and conditions, in the order of the source.
    private var trees: [JSONNode] {
        let program = rules.program
        let functions = program.functions.map { ($0.bindings.first ?? $0.result, report($0)) }
        let conditions = program.statements.compactMap(\.condition).map { ($0, report($0)) }
        return (functions + conditions).sorted { lhs, rhs in
            program.sources[Int(lhs.0)].start < program.sources[Int(rhs.0)].start
        }.map(\.1)
    }

    /// Each `let` has its value and what follows it as children, and comes to what the function does.
    private func report(_ function: Program.Function) -> JSONNode {
        let end = rules.range(function.result).bytes.upperBound
        return function.bindings.reversed().reduce(report(function.result)) { rest, binding in
            let range = rules.rangeOfLet(of: binding, to: end)
            return node(range, records[function.result], unvisited: 0, [report(binding), rest])
        }
    }

    /// - Parameter around: how often the expression around it was evaluated.
    private func report(_ id: Program.NodeID, around: Int = 0) -> JSONNode {
        let visits = max(around, records[id]?.visits ?? 0)
        return node(
            rules.range(id), records[id], unvisited: visits - (records[id]?.visits ?? 0),
            reported(children(id), of: id).map { report($0, around: visits) })
    }

    /// The emulator has the list of `in` first.
    private func reported(_ children: [Program.NodeID], of node: Program.NodeID) -> [Program.NodeID] {
        if case .in = rules.program.nodes[Int(node)] { children.reversed() } else { children }
    }

    private func node(_ range: SourceRange, _ record: Record?, unvisited: Int, _ children: [JSONNode]) -> JSONNode {
        var values = (record?.values ?? []).map { ($0.count, json($0.value)) }
        if unvisited > 0 { values.append((unvisited, .object([:]))) }
        var members = [JSONMember(key: "sourcePosition", node: position(range))]
        if !values.isEmpty {
            let list = values.map { JSONNode.object(["value": $0.1, "count": .integer(Int64($0.0))]) }
            members.append(JSONMember(key: "values", node: .array(list)))
        }
        if !children.isEmpty { members.append(JSONMember(key: "children", node: .array(children))) }
        return JSONNode(.object(members))
    }

    private func json(_ outcome: Outcome) -> JSONNode {
        switch outcome {
        case .bool(let value): return RuleValue.bool(value).json
        case .value(let value, _): return value
        case .undecided: return .object(["undefined": .object([:])])
        case .failed(let cause, let message):
            let undefined = JSONNode.object([
                "sourcePosition": position(rules.rangeOfFirstToken(of: cause)), "causeMessage": .string(message),
            ])
            return .object(["undefined": undefined])
        }
    }

    /// The end is that of the last token that is no closing bracket.
    private func position(_ range: SourceRange) -> JSONNode {
        var end = range.bytes.upperBound
        while end > range.bytes.lowerBound + 1,
            [0x28, 0x29, 0x5D, 0x7D, 0x20, 0x0A].contains(rules.source.bytes[end - 1])
        {
            end -= 1
        }
        return .object([
            "line": .integer(Int64(range.start.line)), "column": .integer(Int64(range.start.column)),
            "currentOffset": .integer(Int64(range.bytes.lowerBound)), "endOffset": .integer(Int64(max(end - 1, 0))),
        ])
    }

    // MARK: The page

    /// The source as a page, each expression in the colour of what it came to.
    package func page(name: String) -> String {
        var marks: [(offset: Int, isEnd: Bool, length: Int, text: String)] = []
        for node in nodes {
            let range = rules.range(node).bytes
            guard !range.isEmpty else { continue }
            let (style, title) = describe(node)
            marks.append(
                (
                    range.lowerBound, false, range.count,
                    "<span class=\"\(style)\" title=\"\(RuleCoverage.escaped(title))\">"
                ))
            marks.append((range.upperBound, true, range.count, "</span>"))
        }
        // At one place the inner ones end first, then the outer ones begin first.
        marks.sort { lhs, rhs in
            if lhs.offset != rhs.offset { return lhs.offset < rhs.offset }
            if lhs.isEnd != rhs.isEnd { return lhs.isEnd }
            return lhs.isEnd ? lhs.length < rhs.length : lhs.length > rhs.length
        }
        var body = ""
        var offset = 0
        for mark in marks {
            body += RuleCoverage.escaped(rules.source.text(offset, mark.offset)) + mark.text
            offset = mark.offset
        }
        body += RuleCoverage.escaped(rules.source.text(offset, rules.source.bytes.count))
        let counts = summary
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Coverage of \(RuleCoverage.escaped(name))</title><style>
            body { font: 14px/1.5 sans-serif; margin: 2em; } pre { font: 13px/1.6 monospace; }
            .both { background: #d8f5d8; } .true { background: #fff2b8; } .false { background: #ffe0b8; }
            .failed { background: #f8c8c8; } .value { background: #e4ecf8; } .never { background: #d0d0d0; }
            span:hover { outline: 1px solid #555; }
            </style></head><body><h1>\(RuleCoverage.escaped(name))</h1>
            <p>\(counts.reached) of \(counts.expressions) expressions evaluated. <span class="both">true and false</span>
            <span class="true">only true</span> <span class="false">only false</span> <span class="failed">only errors</span>
            <span class="value">other values</span> <span class="never">never evaluated</span></p>
            <pre>\(body)</pre></body></html>

            """
    }

    private func describe(_ node: Program.NodeID) -> (style: String, title: String) {
        guard let record = records[node] else { return ("never", "never evaluated") }
        let values = record.values.prefix(8).map { "\($0.count) × \(json($0.value).text())" }
        return (record.style, values.joined(separator: "\n"))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
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
        case .success(let value) where values.count < RuleCoverage.mostValues:
            let json = value.json
            count(.value(json, text: json.text()))
        case .success: return
        case .failure(.undecided): count(.undecided)
        case .failure(let error): count(.failed(cause: cause, message: error.message))
        }
    }

    private mutating func count(_ outcome: RuleCoverage.Outcome) {
        if let place = values.firstIndex(where: { $0.value == outcome }) {
            values[place].count += 1
        } else if values.count < RuleCoverage.mostValues {
            values.append((outcome, 1))
        }
    }

    fileprivate func hasBeen(_ value: Bool) -> Bool { values.contains { $0.value == .bool(value) } }

    /// The class of the page's style.
    fileprivate var style: String {
        let hasValue = values.contains { if case .value = $0.value { true } else { false } }
        return switch (hasBeen(true), hasBeen(false)) {
        case (true, true): "both"
        case (true, false): "true"
        case (false, true): "false"
        case (false, false): hasValue ? "value" : "failed"
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

extension RuleCoverage {
    /// More different values of one expression are not kept, and those that are kept not counted further.
    fileprivate static let mostValues = 100
}
