// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Findings as text: place, severity, message, rule, and the line with a mark under the place.
struct TextFindings {
    private let style: Style

    init(_ style: Style) {
        self.style = style
    }

    func lines(_ finding: Finding) -> [String] {
        let place = "\(finding.file):\(finding.position.line):\(finding.position.column)"
        let headline =
            "\(style.bold(place)): \(severity(finding.severity)): \(finding.message) \(style.dim("[\(finding.rule)]"))"
        guard let excerpt = finding.excerpt else { return [headline] }
        return [headline] + lines(excerpt, line: finding.position.line)
    }

    private func severity(_ severity: LintRule.Severity) -> String {
        switch severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: style.cyan("note")
        }
    }

    private func lines(_ excerpt: LineMap.Excerpt, line: Int) -> [String] {
        let before = excerpt.isCutBefore ? "…" : ""
        let after = excerpt.isCutAfter ? "…" : ""
        let text = before + TextFindings.inPlace(excerpt.text) + after
        let number = String(line)
        let margin = String(repeating: " ", count: number.count)
        let indent = String(repeating: " ", count: excerpt.mark + before.unicodeScalars.count)
        return [
            "  \(style.dim("\(number) │")) \(text)",
            "  \(style.dim("\(margin) │")) \(indent)\(style.green("^"))",
        ]
    }

    /// Replaces each control character with a character of the same width, so that the mark stays under its place.
    private static func inPlace(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(
                scalar == "\t" ? " " : ControlCharacters.contains(scalar) ? "\u{FFFD}" : scalar)
        }
        return result
    }
}
