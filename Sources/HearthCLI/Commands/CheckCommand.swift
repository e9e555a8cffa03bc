// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner
internal import SecurityRules

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Say which queries of a file, or of programs' source, production Firestore would run with an index file.",
        discussion: """
            A queries file has one query per line: cities.where('state','==','CA'), the same with an ID as \
            {"id":"q1","query":"cities.where('state','==','CA')"}, or Firestore's JSON. Without --indexes, only \
            automatic indexes exist. Ends with 1 if a query is not served.

            With --source, the queries are those in the source of programs: files, or folders without what .gitignore \
            names, in JavaScript, TypeScript, Vue, Svelte, Swift, Kotlin, Java, Dart, Python, Go, C# and PHP. What \
            cannot be followed is listed as unresolved. A comment on the line or the line before helps: hearth: \
            collection=users, hearth: collectionGroup=users, hearth: ignore.

            In the Enterprise edition every query is served, if need be by reading the whole collection. --edition says \
            it, or firebase.json or .hearth.json; queries that no index of the file serves are named, and fail with \
            --strict only.

            With --rules, each query is also judged by security rules: for a caller who is not signed in, and for a user \
            whose ID is a placeholder, or a value of the query; with the reason, and what to add so that a user may run \
            it. That a user may not fails with --strict only.

            Examples:
              hearth check --source src functions --indexes firestore.indexes.json
              hearth check --source . --indexes firestore.indexes.json --fix
              hearth check --indexes firestore.indexes.json --queries queries.ndjson
              hearth check --indexes firestore.indexes.json --queries queries.ndjson \\
                --format github
              hearth check --rules firestore.rules --queries queries.ndjson --strict
            """)

    @Option(help: ArgumentHelp("The index file.", valueName: "config"), completion: .file(extensions: ["json"]))
    var indexes: String?
    @Option(help: ArgumentHelp("The queries; - for standard input.", valueName: "file"), completion: .file())
    var queries: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Files and folders with the source of programs.", valueName: "path"), completion: .file())
    var source: [String] = []
    @Flag(help: "Add the missing definitions to the index file, and keep all that is there.")
    var fix = false
    @Option(
        help: ArgumentHelp("A file of findings in source that are known and not reported again.", valueName: "file"),
        completion: .file())
    var baseline: String?
    @Flag(help: "Write the findings in source to the file of --baseline.")
    var updateBaseline = false
    @Option(
        help: ArgumentHelp("A file of security rules.", valueName: "file"), completion: .file(extensions: ["rules"]))
    var rules: String?
    @Flag(
        help:
            "End with 1 also if a query in source is unresolved, if one is served by scanning, or if rules do not let a user run it."
    )
    var strict = false
    @OptionGroup var edition: EditionOption
    @Option(help: ArgumentHelp("The project that links to the console name (default: hearth).", valueName: "id"))
    var project: String?
    @Option(help: "text, json, sarif (2.1.0), or github (default: text on a terminal, else json).")
    var format: FindingFormat?

    func validate() throws {
        guard (queries == nil) != source.isEmpty else {
            throw ValidationError("name either a file of queries with --queries, or programs with --source")
        }
        if fix, indexes == nil || indexes == "-" {
            throw ValidationError("--fix adds to the index file: name it with --indexes")
        }
        if source.isEmpty, fix || baseline != nil || updateBaseline {
            throw ValidationError("--fix, --baseline and --update-baseline belong to --source")
        }
        if updateBaseline, baseline == nil { throw ValidationError("--update-baseline needs a file: --baseline") }
        try DatabaseID.check(project: project)
    }

    func run() throws {
        guard let queries else { return try SourceCheck(self).run() }
        let indexes = try CheckedIndexes(self.indexes, edition.edition)
        let database = DatabaseID(project: Text(project ?? "hearth"))
        let printer = CheckPrinter(
            format ?? (System.isTerminal(System.standardOutput) ? .text : .json), file: queries, indexes, database,
            try rules.map { try RulesVerdict(rules: $0) })
        try QueryInput.forEach(in: queries, database: database, flushing: printer.output) { input in
            printer.write(input, indexes.outcome(input, database))
        }
        if printer.isEmpty { Diagnostics.write("hearth: warning: \"\(queries)\" has no queries: nothing was checked") }
        if printer.finish() > 0 || (strict && printer.denied + printer.scans > 0) { throw ExitCode.found }
    }
}

/// Prints each query's verdict, or collects the queries that are not served.
private final class CheckPrinter {
    private let format: FindingFormat
    private let file: String
    private let indexes: CheckedIndexes
    private let database: DatabaseID
    let output = Output()
    private let style = Style.of(System.standardOutput)
    private var writer = JSONWriter()
    private var findings = FindingList()
    private var served = 0
    private var refused = 0
    private let rules: RulesVerdict?
    /// How many queries the rules deny to users who are signed in.
    private(set) var denied = 0
    /// How many queries are served without an index.
    private(set) var scans = 0

    init(
        _ format: FindingFormat, file: String, _ indexes: CheckedIndexes, _ database: DatabaseID, _ rules: RulesVerdict?
    ) {
        self.rules = rules
        self.format = format
        self.file = file == "-" ? "<stdin>" : file
        self.indexes = indexes
        self.database = database
    }

    func write(_ input: QueryInput, _ outcome: QueryAnswer.Outcome) {
        if outcome.refusal(indexes.catalog, database) == nil { served += 1 } else { refused += 1 }
        if case .scan = outcome { scans += 1 }
        var verdict: QueryJudge.Verdict?
        if let rules, case .success(let request) = input.request { verdict = rules.verdict(request.query) }
        if let verdict, RulesVerdict.isDenied(verdict) { denied += 1 }
        switch format {
        case .json: writeJSON(input, outcome, verdict)
        case .text:
            writeText(input, outcome)
            if let verdict { output.line("  \(RulesVerdict.sentence(verdict))") }
        case .sarif, .github:
            if let finding = finding(input, outcome) { findings.add(finding) }
            if let verdict, RulesVerdict.isDenied(verdict) { findings.add(finding(input, verdict)) }
        }
    }

    var isEmpty: Bool { served + refused == 0 }

    /// Returns how many queries are not served.
    func finish() -> Int {
        switch format {
        case .json: break
        case .text:
            let total = Numbers.counted(served + refused, "query", "queries")
            output.line("\(total): \(Numbers.grouped(served)) served, \(Numbers.grouped(refused)) not served")
        case .sarif, .github: FindingPrinter(format, fileCount: 1).write(findings, to: output)
        }
        return refused
    }

    // MARK: Formats

    private func writeJSON(_ input: QueryInput, _ outcome: QueryAnswer.Outcome, _ verdict: QueryJudge.Verdict?) {
        writer.beginObject()
        writer.key("id")
        writer.node(input.id ?? .string(String(input.line)))
        VerdictJSON(indexes.catalog, database).write(outcome, verdict, to: &writer)
        writer.endObject()
        output.line(&writer)
    }

    private func writeText(_ input: QueryInput, _ outcome: QueryAnswer.Outcome) {
        let id = input.id.map { $0.string ?? $0.text() } ?? String(input.line)
        switch outcome {
        case .plan(let plan):
            var uses: [String] = []
            for use in plan.indexesUsed where !uses.contains(use.properties) { uses.append(use.properties) }
            output.line("\(style.green("served")) \(id) \(style.dim(uses.joined(separator: ", ")))")
        case .scan(let error): output.line("\(style.yellow("served")) \(id): \(error.scanSentence)")
        case .missingIndex(let error):
            output.line("\(style.red("refused")) \(id): \(error.message(in: database))")
            if let closest = error.closestIndex(in: indexes.catalog) {
                output.line("  closest: \(properties(closest.index)). \(closest.reason)")
            }
            output.line("  add: \(error.fixNode(indexes.catalog).text())")
        case .invalid(let error):
            output.line("\(style.red("refused")) \(id): INVALID_ARGUMENT: \(error.message)")
        case .result, .failed: break
        }
    }

    private func finding(_ input: QueryInput, _ verdict: QueryJudge.Verdict) -> Finding {
        Finding(
            file: file, position: .init(line: input.line, column: 1), rule: "rules-deny", severity: .warning,
            message: RulesVerdict.sentence(verdict), excerpt: nil)
    }

    private func finding(_ input: QueryInput, _ outcome: QueryAnswer.Outcome) -> Finding? {
        let place = LineMap.Position(line: input.line, column: 1)
        if case .scan(let error) = outcome {
            return Finding(
                file: file, position: place, rule: "unindexed-query", severity: .warning, message: error.scanSentence,
                excerpt: nil)
        }
        return outcome.refusal(indexes.catalog, database).map { refusal in
            Finding(
                file: file, position: place, rule: refusal.rule, severity: .error, message: refusal.message,
                excerpt: nil)
        }
    }
}
