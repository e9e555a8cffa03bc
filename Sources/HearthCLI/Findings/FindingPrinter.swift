// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText

/// Prints findings in any of the formats.
struct FindingPrinter {
    private let format: FindingFormat
    private let fileCount: Int
    private let book: LintBook

    /// - Parameter book: what explains the findings' rules.
    init(_ format: FindingFormat, fileCount: Int, book: LintBook = .indexes) {
        self.format = format
        self.fileCount = fileCount
        self.book = book
    }

    func write(_ list: FindingList, to output: Output) {
        let findings = list.findings
        switch format {
        case .text: writeText(list, to: output)
        case .json: for finding in findings { output.line(FindingPrinter.node(finding).text()) }
        case .sarif: output.text(SARIF.log(list, book).text(.indented) + "\n")
        case .github: for finding in findings { output.line(GitHubAnnotation.text(finding)) }
        }
    }

    private func writeText(_ list: FindingList, to output: Output) {
        let findings = list.findings
        let style = Style.of(System.standardOutput)
        let printer = TextFindings(style)
        for line in findings.flatMap(printer.lines) { output.line(line) }
        let counts = LintRule.Severity.allCases.compactMap { severity -> String? in
            let count = list.count(severity)
            return count == 0 ? nil : Numbers.counted(count, severity.rawValue)
        }
        guard fileCount > 0 else { return }
        let files = Numbers.counted(fileCount, "file")
        if counts.isEmpty { return output.line(style.green("\(files) checked: nothing found")) }
        output.line()
        output.line(style.bold("\(files) checked: \(counts.joined(separator: ", "))"))
        let explained = list.rules.filter { book.entry($0) != nil }
        if !explained.isEmpty { output.line("Why, and what to do:") }
        for rule in explained { output.line(style.dim("  \(book.command) --explain \(rule)")) }
    }

    private static func node(_ finding: Finding) -> JSONNode {
        .object([
            "file": .string(finding.file),
            "line": .integer(Int64(finding.position.line)),
            "column": .integer(Int64(finding.position.column)),
            "rule": .string(finding.rule),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
        ])
    }
}

/// A workflow command of GitHub Actions, which shows it beside the changed line.
enum GitHubAnnotation {
    static func text(_ finding: Finding) -> String {
        let level = finding.severity == .note ? "notice" : finding.severity.rawValue
        let place =
            "file=\(escapedProperty(finding.file)),line=\(finding.position.line),col=\(finding.position.column)"
        return "::\(level) \(place),title=\(escapedProperty(finding.rule))::\(escaped(finding.message))"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func escapedProperty(_ text: String) -> String {
        var result = ""
        for scalar in escaped(text).unicodeScalars {
            switch scalar {
            case ":": result += "%3A"
            case ",": result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
