// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A regular expression in the dialect of RE2/J, matched in time linear in the text. Texts are UTF-16; positions count
/// its units.
package struct Pattern: Sendable {
    private let machine: PatternMachine
    private let names: [String: Int]

    /// Nil if the pattern does not follow the dialect or is too large.
    package init?(_ source: String) {
        guard source.utf8.count <= PatternCompiler.largestProgram else { return nil }
        var parser = PatternParser(source)
        guard let tree = try? parser.parse(), let program = PatternCompiler.compile(tree, groups: parser.groupCount)
        else { return nil }
        machine = PatternMachine(program: program, groupCount: parser.groupCount)
        names = parser.names
    }

    static func make(_ source: Text) throws(EvaluationError) -> Pattern {
        guard let pattern = Pattern(source.string) else { throw .pattern(source.string) }
        return pattern
    }

    /// Whether the whole text matches.
    package func matches(_ text: [UInt16]) -> Bool {
        var steps = Int.max
        return matches(text, &steps)
    }

    /// - Parameter steps: how many may be taken. Without any left the result means nothing, here and below.
    func matches(_ text: [UInt16], _ steps: inout Int) -> Bool { machine.matches(text, &steps) }

    /// The pieces between the matches, without empty ones at the end; at least one.
    ///
    /// - Parameter most: the number of pieces behind which the rest of the text is one.
    func split(_ text: [UInt16], atMost most: Int, _ steps: inout Int) -> [[UInt16]] {
        var pieces: [[UInt16]] = []
        var last = 0
        forEachMatch(text, &steps) { groups in
            pieces.append(Array(text[last..<groups[0]]))
            last = groups[1]
            return pieces.count < most
        }
        pieces.append(Array(text[last...]))
        while pieces.count > 1, pieces.last?.isEmpty == true { pieces.removeLast() }
        return pieces
    }

    /// All matches replaced. `$1` and `${name}` stand for groups, a backslash takes the next unit as it is.
    ///
    /// - Parameter most: the number of units behind which nothing more is replaced.
    func replace(_ text: [UInt16], _ template: [UInt16], atMost most: Int, _ steps: inout Int) -> [UInt16]? {
        var result: [UInt16] = []
        var last = 0
        var isValid = true
        forEachMatch(text, &steps, each: template.count) { groups in
            result += text[last..<groups[0]]
            isValid = isValid && append(template, groups, text, most, to: &result)
            last = groups[1]
            return result.count <= most
        }
        return isValid ? result + text[last...] : nil
    }

    /// Ends where `body`, which takes so many steps itself, says that no more matches are wanted.
    private func forEachMatch(
        _ text: [UInt16], _ steps: inout Int, each size: Int = 0, _ body: ([Int]) -> Bool
    ) {
        var position = 0
        while position <= text.count, let groups = machine.find(text, from: position, &steps) {
            steps -= size
            guard body(groups) else { return }
            // An empty match must not be found again, and none directly behind a match is skipped.
            position = groups[1] == groups[0] ? groups[1] + 1 : groups[1]
        }
    }

    private func append(
        _ template: [UInt16], _ groups: [Int], _ text: [UInt16], _ most: Int, to result: inout [UInt16]
    ) -> Bool {
        var index = 0
        while index < template.count, result.count <= most {
            let unit = template[index]
            if unit == 0x5C, index + 1 < template.count {
                result.append(template[index + 1])
                index += 2
            } else if unit == 0x24, let reference = reference(template, index + 1) {
                guard let group = reference.group, group * 2 + 1 < groups.count else { return false }
                if groups[group * 2] >= 0 { result += text[groups[group * 2]..<groups[group * 2 + 1]] }
                index = reference.end
            } else {
                result.append(unit)
                index += 1
            }
        }
        return true
    }

    /// What follows a dollar sign: digits, as many as name a group, or a name in braces.
    private func reference(_ template: [UInt16], _ start: Int) -> (group: Int?, end: Int)? {
        guard start < template.count else { return nil }
        if (0x30...0x39).contains(template[start]) {
            var (group, end) = (Int(template[start] - 0x30), start + 1)
            while end < template.count, (0x30...0x39).contains(template[end]) {
                let next = group * 10 + Int(template[end] - 0x30)
                guard next <= machine.groupCount else { break }
                (group, end) = (next, end + 1)
            }
            return (group, end)
        }
        guard template[start] == 0x7B, let close = template[start...].firstIndex(of: 0x7D) else { return nil }
        let name = String(decoding: template[(start + 1)..<close], as: UTF16.self)
        return (names[name], close + 1)
    }
}
