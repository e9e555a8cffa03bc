// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import IndexCatalog
internal import JSONText
internal import SecurityRules

struct RulesCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile security rules and find what is wrong with them.",
        discussion: """
            Lists errors and warnings of all files in the words and at the places of the official compiler, then what \
            Hearth's lint rules find in files that compile. Ends with 1 if there are errors, with --strict also if there \
            are warnings.

            --rule changes a lint rule's severity: off, note, warning or error. A team's settings go into a file \
            .hearth.json in the current folder, or the file that --config names: {"rules":{"any-field":"off"}}. A comment \
            "// hearth: ignore any-field" silences a rule on its own line and on the next. --fix fixes what needs no \
            decision and keeps everything else.

            Examples:
              hearth rules check firestore.rules
              hearth rules check --format github --strict firestore.rules
              hearth rules check --rule any-field=off --fix firestore.rules
              hearth rules check --explain unsound-list
            """)

    @Argument(help: "Rules files; - for standard input.", completion: .file(extensions: ["rules"]))
    var files: [String] = []
    @Option(help: "text, json (one finding a line), sarif (2.1.0), or github (annotations).")
    var format = FindingFormat.text
    @Flag(help: "End with 1 on warnings too.")
    var strict = false
    @Option(
        name: .customLong("rule"),
        help: ArgumentHelp("Change a lint rule's severity; may be repeated.", valueName: "id=off|note|warning|error"),
        transform: RuleSetting.parsed)
    var rules: [RuleSetting] = []
    @Option(
        help: ArgumentHelp("The file with the severities (default: .hearth.json, if there is one).", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?
    @Flag(help: "Fix what needs no decision, in the files themselves.")
    var fix = false
    @Option(
        name: .customLong("explain"),
        help: ArgumentHelp("Explain a lint rule instead; all lists them.", valueName: "rule"))
    var rule: String?

    func validate() throws {
        guard files.isEmpty || rule == nil else { throw ValidationError("--explain takes no files") }
        if let rule, rule != "all", LintBook.securityRules.entry(rule) == nil {
            throw ValidationError("there is no rule \"\(rule)\"; hearth rules check --explain all lists them")
        }
        if fix, files.contains("-") { throw ValidationError("--fix needs files: standard input has no name") }
    }

    func run() throws {
        if let rule { return LintExplainer(book: .securityRules).explain(rule, to: Output()) }
        let settings = try RuleSettings.read(config).adding(rules)
        var list = FindingList()
        var checked = 0
        let files = try files.isEmpty ? RulesCheckCommand.usualFiles() : files
        for path in files {
            do {
                if fix { try applyFixes(path, settings) }
                let file = try RulesFile(path)
                for issue in RuleSet.compile(file.text, refusesOtherServices: true).issues {
                    list.add(file.finding(issue))
                }
                for finding in RulesLinter.findings(in: file.text, except: settings.off) {
                    list.add(file.finding(finding, settings))
                }
                checked += 1
            } catch {
                list.notice(.error, error.message)
            }
        }
        FindingPrinter(format, fileCount: checked, book: .securityRules).write(list, to: Output())
        if checked < files.count { throw ExitCode.couldNotRun }
        if list.count(.error) > 0 || (strict && list.count(.warning) > 0) { throw ExitCode.found }
    }

    private static func usualFiles() throws -> [String] {
        if System.exists("firebase.json") {
            let named = Set(try FirebaseFile("firebase.json").rules.values)
            if !named.isEmpty { return named.sorted() }
        }
        if System.exists("firestore.rules") { return ["firestore.rules"] }
        throw ValidationError(
            "name at least one rules file, or - for standard input: no firebase.json that names one and no firestore.rules is here"
        )
    }

    private func applyFixes(_ path: String, _ settings: RuleSettings) throws(CommandFailure) {
        let file = try RulesFile(path)
        guard let (fixed, count) = RulesLinter.fixed(file.text, except: settings.off) else { return }
        try OutputFile.replace(path, Array(fixed.utf8))
        Diagnostics.write("hearth: \"\(path)\": \(Numbers.counted(count, "place")) fixed")
    }
}
