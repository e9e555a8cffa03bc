// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

/// What the expressions of rules came to over many requests.
package struct RuleCoverage: Sendable {
    /// The values of one expression, in the order in which they were first seen.
    fileprivate struct Record: Sendable {
        var values: [(value: JSONNode, text: String, count: Int)] = []
        var kinds: Set<Kind> = []
    }

    fileprivate enum Kind {
        case isTrue, isFalse, other, failed
    }

    private let rules: RuleSet
    private var records: [Program.NodeID: Record] = [:]

    package init(_ rules: RuleSet) {
        self.rules = rules
    }

    package mutating func add(_ explanation: RuleExplanation) {
        for statement in explanation.statements {
            for (place, step) in statement.steps.enumerated() {
                let (kind, value) = self.value(step, statement.steps[place...])
                records[step.node, default: Record()].add(kind, value)
            }
        }
    }

    private func value(_ step: RuleExplanation.Step, _ rest: ArraySlice<RuleExplanation.Step>) -> (Kind, JSONNode) {
        switch step.result {
        case .success(.bool(let value)): return (value ? .isTrue : .isFalse, RuleValue.bool(value).json)
        case .success(let value): return (.other, value.json)
        case .failure(.undecided): return (.failed, .object(["undefined": .object([:])]))
        case .failure(let error):
            let cause = RuleCoverage.cause(error, rest)
            let undefined = JSONNode.object([
                "sourcePosition": position(cause), "causeMessage": .string(error.message),
            ])
            return (.failed, .object(["undefined": undefined]))
        }
    }

    /// The innermost step that failed in the same way.
    private static func cause(
        _ error: EvaluationError, _ steps: ArraySlice<RuleExplanation.Step>
    ) -> RuleExplanation.Step {
        let first = steps[steps.startIndex]
        var cause = first
        for step in steps.dropFirst() {
            guard step.depth > first.depth else { break }
            if case .failure(let inner) = step.result, inner.message == error.message, step.depth > cause.depth {
                cause = step
            }
        }
        return cause
    }

    // MARK: Counts

    /// How many expressions there are, and how many were evaluated, true and false.
    package var summary: (expressions: Int, reached: Int, bothWays: Int, bools: Int) {
        var (all, reached, both, bools) = (0, 0, 0, 0)
        for node in nodes {
            all += 1
            guard let record = records[node] else { continue }
            reached += 1
            if record.kinds.contains(.isTrue) || record.kinds.contains(.isFalse) { bools += 1 }
            if record.kinds.isSuperset(of: [.isTrue, .isFalse]) { both += 1 }
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
            "rules": .object(["files": .array([file])]), "report": .array(roots.map(report)),
        ])
    }

    private func report(_ node: Program.NodeID) -> JSONNode {
        var members = [JSONMember(key: "sourcePosition", node: position(rules.range(node)))]
        if let record = records[node] {
            let values = record.values.map { entry in
                JSONNode.object(["value": entry.value, "count": .integer(Int64(entry.count))])
            }
            members.append(JSONMember(key: "values", node: .array(values)))
        }
        let inner = children(node)
        if !inner.isEmpty { members.append(JSONMember(key: "children", node: .array(inner.map(report)))) }
        return JSONNode(.object(members))
    }

    private func position(_ step: RuleExplanation.Step) -> JSONNode { position(step.source) }

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
        let kinds = record.kinds
        let style =
            kinds.isSuperset(of: [.isTrue, .isFalse])
            ? "both"
            : kinds.contains(.isTrue)
                ? "true" : kinds.contains(.isFalse) ? "false" : kinds.contains(.other) ? "value" : "failed"
        return (style, record.values.prefix(8).map { "\($0.count) × \($0.text)" }.joined(separator: "\n"))
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
    fileprivate mutating func add(_ kind: RuleCoverage.Kind, _ value: JSONNode) {
        kinds.insert(kind)
        let text = value.text()
        guard text.utf8.count <= RuleCoverage.longestValue else { return }
        if let place = values.firstIndex(where: { $0.text == text }) {
            values[place].count += 1
        } else if values.count < RuleCoverage.mostValues {
            values.append((value, text, 1))
        }
    }
}

extension RuleCoverage {
    /// More different values of one expression are not kept.
    fileprivate static let mostValues = 100
    /// Longer values count, but are not kept.
    fileprivate static let longestValue = 10_000
}
