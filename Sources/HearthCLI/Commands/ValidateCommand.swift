// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Find what is wrong with firestore.indexes.json files.",
        discussion: """
            All problems of all files, each with its rule, place, and what to do. Ends with 1 if there are errors, with \
            --strict also if there are warnings.

            Examples:
              hearth validate firestore.indexes.json
              hearth validate --format sarif firestore.indexes.json > results.sarif
              hearth validate --explain single-field-composite
            """)

    @Argument(help: "Index files; - for standard input.", completion: .file(extensions: ["json"]))
    var files: [String] = []
    @Option(help: "text, json (one finding a line), sarif (2.1.0), or github (annotations).")
    var format = FindingFormat.text
    @Flag(help: "End with 1 on warnings too.")
    var strict = false
    @Option(
        name: .customLong("explain"), help: ArgumentHelp("Explain a rule instead; all lists them.", valueName: "rule"))
    var rule: String?

    func validate() throws {
        guard files.isEmpty != (rule == nil) else {
            throw ValidationError(
                rule == nil ? "name at least one index file, or - for standard input" : "--explain takes no files")
        }
        if let rule, rule != "all", LintRule.named(rule) == nil {
            throw ValidationError("there is no rule \"\(rule)\"; hearth validate --explain all lists them")
        }
    }

    func run() throws {
        if let rule { return RuleExplainer.explain(rule, to: Output()) }
        var findings: [Finding] = []
        var checked = 0
        for path in files {
            do {
                findings += try ConfigurationFile(path).findings
                checked += 1
            } catch {
                Diagnostics.write("hearth: \(error.message)")
            }
        }
        FindingPrinter(format, fileCount: checked).write(findings, to: Output())
        if checked < files.count { throw ExitCode.couldNotRun }
        let isBad = findings.contains { $0.severity == .error || (strict && $0.severity == .warning) }
        if isBad { throw ExitCode.found }
    }
}

private enum RuleExplainer {
    static func explain(_ id: String, to output: Output) {
        let style = Style.of(System.standardOutput)
        guard let rule = LintRule.named(id) else {
            var table = TextTable(["rule", "severity", "what is wrong"])
            for rule in LintRule.all { table.add([rule.id, rule.severity.rawValue, rule.title]) }
            for line in table.lines(width: Screen.width, style) { output.line(line) }
            return
        }
        output.line("\(style.bold(rule.id)) (\(rule.severity.rawValue)): \(rule.title)")
        output.line()
        for line in rule.explanation.wrapped(to: min(100, Screen.width)) { output.line(line) }
    }
}
