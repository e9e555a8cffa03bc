// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import SecurityRules

/// The lint rules of a command, as its findings and settings refer to them.
enum LintBook {
    case indexes
    case securityRules

    struct Entry {
        let id: String
        let severity: LintRule.Severity
        let title: String
        /// Paragraphs.
        let explanation: String
        let isFixable: Bool
        /// Lines that show what is wrong, and the same lines corrected.
        var example: (wrong: String, right: String)?
    }

    /// The command whose `--explain` explains them.
    var command: String {
        switch self {
        case .indexes: "hearth validate"
        case .securityRules: "hearth rules check"
        }
    }

    /// All rules, in the order of the documentation.
    var entries: [Entry] {
        switch self {
        case .indexes:
            LintRule.all.map {
                Entry(
                    id: $0.id, severity: $0.severity, title: $0.title, explanation: $0.explanation,
                    isFixable: $0.isFixable)
            }
        case .securityRules:
            SecurityLintRule.all.map {
                Entry(
                    id: $0.id, severity: $0.severity, title: $0.title, explanation: $0.explanation,
                    isFixable: $0.isFixable, example: ($0.wrong, $0.right))
            }
        }
    }

    func entry(_ id: String) -> Entry? { entries.first { $0.id == id } }
}

/// Prints what `--explain` asks for.
struct LintExplainer {
    let book: LintBook

    /// - Parameter id: of a rule; any other word lists them.
    func explain(_ id: String, to output: Output) {
        let style = Style.of(System.standardOutput)
        guard let rule = book.entry(id) else {
            var table = TextTable(["rule", "severity", "what is wrong"])
            for rule in book.entries { table.add([rule.id, rule.severity.rawValue, rule.title]) }
            for line in table.lines(width: Screen.width, style) { output.line(line) }
            return
        }
        output.line("\(style.bold(rule.id)) (\(rule.severity.rawValue)): \(rule.title)")
        output.line()
        for line in rule.explanation.wrapped(to: min(100, Screen.width)) { output.line(line) }
        if let example = rule.example {
            for (word, text) in [("Wrong:", example.wrong), ("Right:", example.right)] {
                output.line()
                output.line(style.bold(word))
                for line in text.split(separator: "\n") { output.line("  \(line)") }
            }
        }
        guard rule.isFixable else { return }
        output.line()
        output.line("\(book.command) --fix fixes it where that needs no decision.")
    }
}
