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

    /// Takes the ways that begin at a token and end before another one, so that each is read once.
    fileprivate mutating func take(_ index: Int, before limit: Int) -> (ends: [Int], isComplete: Bool, text: String)? {
        guard let first = ways[index]?.first, first.end <= limit else { return nil }
        ways[index]?.removeFirst()
        return (Array(first.starts.dropFirst()) + [first.end], first.isComplete, first.condition)
    }
}

extension Reader {
    /// The ways that begin here, nil if none do. Declarations of files and types are all read.
    mutating func conditionalStatements() -> Statement? {
        guard language.hasConditionalLines, depth > 1, !isInType, !current.isMark("."),
            let (ends, isComplete, text) = conditionalLines.take(position, before: limit)
        else { return nil }
        let ways = ends.map { end in within(end) { $0.statements() } }
        return .ways(ways, isComplete: isComplete, condition: Condition(subject: text, names: []))
    }
}
