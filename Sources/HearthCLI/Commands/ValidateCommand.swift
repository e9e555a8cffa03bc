// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Find what is wrong with firestore.indexes.json files.",
        discussion: """
            Lists all problems of all files, each with its rule, its place, and what to do. Ends with 1 if there are \
            errors, with --strict also if there are warnings.

            --rule changes a rule's severity: off, note, warning or error. A team's settings go into a file \
            .hearth.json in the current folder, or the file that --config names: {"rules":{"redundant-index":"off"}}.

            --fix fixes what needs no decision and keeps everything else, including comments: trailing-comma, bad-enum in \
            wrong case, duplicate-index, duplicate-override where an index repeats, and single-field-composite where the \
            automatic index exists. The other findings are printed as without it.

            Examples:
              hearth validate firestore.indexes.json
              hearth validate --format sarif firestore.indexes.json > results.sarif
              hearth validate --rule redundant-index=off --fix firestore.indexes.json
              hearth validate --explain single-field-composite
            """)

    @Argument(help: "Index files; - for standard input.", completion: .file(extensions: ["json"]))
    var files: [String] = []
    @Option(help: "text, json (one finding a line), sarif (2.1.0), or github (annotations).")
    var format = FindingFormat.text
    @Flag(help: "End with 1 on warnings too.")
    var strict = false
    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp("Change a rule's severity; may be repeated.", valueName: "id=off|note|warning|error"))
    var rules: [RuleSetting] = []
    @Option(
        help: ArgumentHelp("The file with the severities (default: .hearth.json, if there is one).", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?
    @Flag(help: "Fix what needs no decision, in the files themselves.")
    var fix = false
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
        if fix, files.contains("-") { throw ValidationError("--fix needs files: standard input has no name") }
    }

    func run() throws {
        if let rule { return LintExplainer(book: .indexes).explain(rule, to: Output()) }
        let settings = try RuleSettings.read(config).adding(rules)
        var list = FindingList()
        var checked = 0
        for path in files {
            do {
                if fix { try applyFixes(path, settings) }
                let file = try ConfigurationFile(path)
                list.add(file.findings, of: file, settings)
                checked += 1
            } catch {
                list.notice(.error, error.message)
            }
        }
        FindingPrinter(format, fileCount: checked).write(list, to: Output())
        if checked < files.count { throw ExitCode.couldNotRun }
        if list.count(.error) > 0 || (strict && list.count(.warning) > 0) { throw ExitCode.found }
    }

    private func applyFixes(_ path: String, _ settings: RuleSettings) throws(CommandFailure) {
        let source = try InputFile.contents(path)
        guard let (fixed, count) = ConfigurationReader.fixed(source, except: settings.off) else { return }
        try OutputFile.replace(path, fixed)
        Diagnostics.write("hearth: \"\(path)\": \(Numbers.counted(count, "place")) fixed")
    }
}
