// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import JSONText

// What the official emulator answers at `:ruleCoverage`.
extension RuleCoverage {
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
        let functions = program.functions.flatMap { function in
            report(function).map { (function.bindings.first ?? function.result, $0) }
        }
        let conditions = program.statements.compactMap(\.condition).flatMap { id in reported(id).map { (id, $0) } }
        return (functions + conditions).sorted { lhs, rhs in
            program.sources[Int(lhs.0)].start < program.sources[Int(rhs.0)].start
        }.map(\.1)
    }

    /// Each `let` has its value and what follows it as children, and comes to what the function does.
    private func report(_ function: Program.Function) -> [JSONNode] {
        let end = rules.range(function.result).bytes.upperBound
        return function.bindings.indices.reversed().reduce(reported(function.result)) { rest, place in
            let range = rules.range(from: function.lets[place], to: end)
            return [node(range, records[function.result], unvisited: 0, reported(function.bindings[place]) + rest)]
        }
    }

    /// One, or none for a literal, which the emulator leaves out.
    private func reported(_ id: Program.NodeID) -> [JSONNode] {
        if case .constant = rules.program.nodes[Int(id)] { [] } else { [report(id)] }
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

    func json(_ outcome: Outcome) -> JSONNode {
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

    /// In characters. The end is that of the last token that is no closing bracket.
    private func position(_ range: SourceRange) -> JSONNode {
        var end = range.bytes.upperBound
        while end > range.bytes.lowerBound + 1,
            [0x28, 0x29, 0x5D, 0x7D, 0x20, 0x0A].contains(rules.source.bytes[end - 1])
        {
            end -= 1
        }
        let first = rules.lines.scalars(before: range.bytes.lowerBound)
        let last = rules.lines.scalars(before: end) - 1
        return .object([
            "line": .integer(Int64(range.start.line)), "column": .integer(Int64(range.start.column)),
            "currentOffset": .integer(Int64(first)), "endOffset": .integer(Int64(max(last, 0))),
        ])
    }
}
