// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog

struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Find what is wrong with firestore.indexes.json files.",
        discussion: """
            Lists all problems of all files, each with its rule, its place, and what to do. Ends with 1 if there are \
            errors, with --strict also if there are warnings. Of a firebase.json, its databases are checked and every \
            index file that it names. Terraform's google_firestore_index and google_firestore_field, gcloud commands and \
            gcloud's listings are read too. Without files, firebase.json or firestore.indexes.json is checked.

            --rule changes a rule's severity: off, note, warning or error. A team's settings go into a file \
            .hearth.json in the current folder, or the file that --config names: {"rules":{"redundant-index":"off"}}.

            --fix fixes what needs no decision and keeps everything else, including comments: trailing-comma, bad-enum in \
            wrong case, duplicate-index, duplicate-override where an index repeats, and single-field-composite where the \
            automatic index exists. The other findings are printed as without it.

            Examples:
              hearth validate
              hearth validate firestore.indexes.json
              hearth validate --edition enterprise firestore.indexes.json
              hearth validate --format sarif firestore.indexes.json > results.sarif
              hearth validate --rule redundant-index=off --fix firestore.indexes.json
              hearth validate --explain single-field-composite
            """)

    @Argument(
        help: "Index files, or firebase.json; - for standard input.", completion: .file(extensions: ["json", "tf"]))
    var files: [String] = []
    @OptionGroup var database: EditionOption
    @Option(help: "text, json (one finding a line), sarif (2.1.0), or github (annotations).")
    var format = FindingFormat.text
    @Flag(help: "End with 1 on warnings too.")
    var strict = false
    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp("Change a rule's severity; may be repeated.", valueName: "id=off|note|warning|error"),
        transform: RuleSetting.parsed)
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
        if rule != nil, !files.isEmpty { throw ValidationError("--explain takes no files") }
        if let rule, rule != "all", LintRule.named(rule) == nil {
            throw ValidationError("there is no rule \"\(rule)\"; hearth validate --explain all lists them")
        }
        if fix, files.contains("-") { throw ValidationError("--fix needs files: standard input has no name") }
    }

    func run() throws {
        if let rule { return LintExplainer(book: .indexes).explain(rule, to: Output()) }
        let settings = try RuleSettings.read(config).adding(rules)
        var run = ValidationRun(settings: settings, edition: database.edition, fixes: fix)
        for path in try files.isEmpty ? ValidateCommand.usualFiles() : files { run.check(path) }
        FindingPrinter(format, fileCount: run.checked).write(run.list, to: Output())
        if run.hasFailed { throw ExitCode.couldNotRun }
        if run.list.count(.error) > 0 || (strict && run.list.count(.warning) > 0) { throw ExitCode.found }
    }

    private static func usualFiles() throws -> [String] {
        for name in ["firebase.json", ConfigurationFile.usualName] where System.exists(name) { return [name] }
        throw ValidationError(
            "name at least one index file, or - for standard input: there is no firebase.json or firestore.indexes.json here"
        )
    }
}
