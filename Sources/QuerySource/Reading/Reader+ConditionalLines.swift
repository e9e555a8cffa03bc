// SPDX-License-Identifier: Apache-2.0

/// Statements of which the compiler reads some only, as between `#if DEBUG` and `#endif`.
struct ConditionalLines {
    /// Where ways begin and the last one ends, and whether one of them is read in any case.
    private struct Ways {
        let condition: String
        var starts: [Int]
        var end = 0
        var isComplete = false
    }

    /// By the index of the first token behind its `#if`; the outermost first.
    private var ways: [Int: [Ways]] = [:]

    init(_ lines: [ConditionalLine] = [], _ tokens: [Token] = []) {
        var open: [Ways] = []
        var found: [Ways] = []
        var index = 0
        for line in lines {
            while index < tokens.count - 1, tokens[index].offset < line.offset { index += 1 }
            if line.word == "#if" {
                open.append(Ways(condition: line.text, starts: [index]))
            } else if var last = open.popLast() {
                last.isComplete = last.isComplete || line.word == "#else"
                if line.word == "#endif" {
                    last.end = index
                    found.append(last)
                } else {
                    last.starts.append(index)
                    open.append(last)
                }
            }
        }
        // What is inside ends before what is around it.
        for way in found.reversed() where way.end > way.starts[0] { ways[way.starts[0], default: []].append(way) }
    }

    /// Where the ways that begin at a token end; nil if none do.
    fileprivate func end(_ index: Int, before limit: Int) -> Int? {
        guard let end = ways[index]?.first?.end, end <= limit else { return nil }
        return end
    }

    /// Takes the ways that begin at a token and end before another one, so that each is read once.
    fileprivate mutating func take(_ index: Int, before limit: Int) -> (ends: [Int], isComplete: Bool, text: String)? {
        guard let first = ways[index]?.first, first.end <= limit else { return nil }
        ways[index]?.removeFirst()
        return (Array(first.starts.dropFirst()) + [first.end], first.isComplete, first.condition)
    }
}

extension Reader {
    /// The ways that begin here, nil if none do.
    mutating func conditionalStatements() -> [Statement]? {
        guard language.hasConditionalLines, !current.isMark("."),
            let (ends, isComplete, text) = conditionalLines.take(position, before: limit)
        else { return nil }
        let condition = Condition(subject: text, names: [])
        if isInType {
            return Reader.declarations(ends.map { end in within(end) { $0.members() } }, condition)
        }
        guard depth - fileWays > 1 else {
            fileWays += 1
            defer { fileWays -= 1 }
            return Reader.declarations(ends.map { end in within(end) { $0.statements() } }, condition)
        }
        let ways = ends.map { end in within(end) { $0.statements() } }
        return [.ways(ways, isComplete: isComplete, condition: condition)]
    }

    /// Declarations of files and types are all read. What several ways declare has one of their values.
    private static func declarations(_ ways: [[Statement]], _ condition: Condition) -> [Statement] {
        var values: [String: [Expression]] = [:]
        for declared in ways.joined().compactMap(\.declared) {
            values[declared.name, default: []].append(declared.value)
        }
        guard values.contains(where: { $0.value.count > 1 }) else { return Array(ways.joined()) }
        return ways.joined().compactMap { statement in
            guard let declared = statement.declared, let options = values[declared.name] else { return statement }
            guard options.count != 1 else { return statement }
            // The first of them stands for all.
            guard !options.isEmpty else { return nil }
            values[declared.name] = []
            let test = ways.count == 2 && options.count == 2 ? condition : nil
            let choice = Expression(offset: declared.value.offset, kind: .choice(options, condition: test))
            let kind = Expression.Kind.assignment(.variable(declared.name, isDeclared: true), choice)
            return .expression(Expression(offset: declared.offset, kind: kind))
        }
    }

    /// An operand with members of a query between `#if` and `#endif`, nil if none are here. Other members are all read.
    mutating func conditionalMembers(of operand: Expression) -> Expression? {
        guard language.hasConditionalLines, let end = conditionalLines.end(position, before: limit),
            hasCalls(before: end), let (ends, isComplete, text) = conditionalLines.take(position, before: limit)
        else { return nil }
        depth += 1
        defer { depth -= 1 }
        guard canNest() else { return Expression(offset: operand.offset, kind: .other([operand])) }
        var options = ends.map { end in within(end) { $0.postfix(operand) } }
        if !isComplete { options.append(operand) }
        let condition = options.count == 2 ? Condition(subject: text, names: []) : nil
        return Expression(offset: operand.offset, kind: .choice(options, condition: condition))
    }

    /// Whether one of the members before an index does something to a query.
    private func hasCalls(before end: Int) -> Bool {
        find(
            from: position, count: 200,
            { index in
                index + 1 < end && tokens[index].isMark(".") && language.calls[tokens[index + 1].text] != nil
            }, until: { $0 >= end }) != nil
    }
}

extension Statement {
    /// What it declares with a value.
    fileprivate var declared: (name: String, value: Expression, offset: Int)? {
        guard case .expression(let expression) = self,
            case .assignment(.variable(let name, true), let value) = expression.kind
        else { return nil }
        return (name, value, expression.offset)
    }
}
