// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Findings for people: place, severity, message, rule, and the line with a mark under the place.
struct TextFindings {
    private let style: Style

    init(_ style: Style) {
        self.style = style
    }

    func text(_ finding: Finding) -> String {
        let place = "\(finding.file):\(finding.position.line):\(finding.position.column)"
        let headline =
            "\(style.bold(place)): \(severity(finding.severity)): \(finding.message) \(style.dim("[\(finding.rule)]"))"
        guard !finding.excerpt.isEmpty else { return headline }
        return headline + "\n" + excerpt(finding)
    }

    private func severity(_ severity: LintRule.Severity) -> String {
        switch severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: style.cyan("note")
        }
    }

    /// At most this much of a line is shown, so that a file in one line stays readable.
    private static let width = 100

    private func excerpt(_ finding: Finding) -> String {
        let line = finding.excerpt.unicodeScalars.map {
            $0 == "\t" || $0.properties.numericType == nil && $0.value < 0x20 ? " " : $0
        }
        let mark = finding.position.column - 1
        let start = mark < TextFindings.width - 10 ? 0 : mark - TextFindings.width / 2
        let shown = line.dropFirst(start).prefix(TextFindings.width)
        var text = String(String.UnicodeScalarView(shown))
        if start > 0 { text = "…" + text }
        if line.count > start + TextFindings.width { text += "…" }
        let number = String(finding.position.line)
        let margin = String(repeating: " ", count: number.count)
        let indent = String(repeating: " ", count: max(0, mark - start) + (start > 0 ? 1 : 0))
        return "  \(style.dim("\(number) │")) \(text)\n  \(style.dim("\(margin) │")) \(indent)\(style.green("^"))"
    }
}
