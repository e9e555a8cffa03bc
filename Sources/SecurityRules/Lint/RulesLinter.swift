// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Finds what is wrong with security rules that compile.
package enum RulesLinter {
    /// The findings in the order of the source. A source that does not compile has none.
    ///
    /// A comment `// hearth: ignore RULE` silences a rule on its own line and on the next.
    /// - Parameter off: the IDs of rules that do not count.
    package static func findings(in source: String, except off: Set<String> = []) -> [SecurityLintFinding] {
        guard let tree = RuleSet.read(source)?.tree else { return [] }
        let outline = RulesOutline(tree)
        let ignored = IgnoredFindings(source)
        var findings: [SecurityLintFinding] = []
        for rule in SecurityLintRule.all where !off.contains(rule.id) {
            var seen: Set<SourcePosition> = []
            rule.check(outline) { position, message, fix in
                guard !ignored.contains(rule.id, line: position.line), seen.insert(position).inserted else { return }
                findings.append(
                    SecurityLintFinding(rule: rule, position: position, message: message.boundedMessage, fix: fix))
            }
        }
        return findings.enumerated().sorted { lhs, rhs in
            lhs.element.position == rhs.element.position
                ? lhs.offset < rhs.offset : lhs.element.position < rhs.element.position
        }.map(\.element)
    }

    /// Fixes what needs no choice.
    ///
    /// - Returns: nil if there is nothing to fix.
    package static func fixed(_ source: String, except off: Set<String> = []) -> (source: String, count: Int)? {
        let edits = Set(findings(in: source, except: off).compactMap(\.fix))
        guard !edits.isEmpty else { return nil }
        let result = edited(source, by: edits)
        // An edit in a wrong place would cost somebody's file.
        return RuleSet.read(result.source) == nil ? nil : result
    }

    private static func edited(_ source: String, by edits: Set<RulesEdit>) -> (source: String, count: Int) {
        let ordered = edits.sorted { $0.position < $1.position }
        var result = String.UnicodeScalarView()
        var (line, column, skipped) = (1, 1, 0)
        var next = 0
        for scalar in source.unicodeScalars {
            if next < ordered.count, ordered[next].position == SourcePosition(line: line, column: column) {
                result.append(contentsOf: ordered[next].replacement.unicodeScalars)
                skipped = ordered[next].length
                next += 1
            }
            if skipped > 0 { skipped -= 1 } else { result.append(scalar) }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return (String(result), next)
    }
}

/// What comments silence.
struct IgnoredFindings {
    private var rules: [Int: Set<String>] = [:]

    init(_ source: String) {
        guard source.utf8.count < 1 << 20 else { return }
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let comment = line.firstRange(of: "// hearth: ignore ") else { continue }
            let ids = line[comment.upperBound...].split { $0 == " " || $0 == "," || $0 == "\r" }.map(String.init)
            rules[index + 1, default: []].formUnion(ids)
            rules[index + 2, default: []].formUnion(ids)
        }
    }

    func contains(_ rule: String, line: Int) -> Bool { rules[line]?.contains(rule) == true }
}
