// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

struct AdviseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advise",
        abstract: "Find the smallest index file under which every query of a file is served.",
        discussion: """
            The result has the fewest composite indexes, then the fewest overrides, then the fewest fields; it joins \
            indexes where that is enough. With --prefer speed, every query gets an index that serves it alone. With \
            --indexes, it also says what to add to that file, what no query needs, and what other indexes cover.

            --output writes the result to a new file. A file that exists is edited: it gains what queries lack, and keeps \
            everything else, comments included. --prune also removes indexes that the others make redundant, and \
            --prune-unused those of a collection that no query could use; both say which queries would be refused \
            then, for the case that the file of queries lacks them. A query in source that cannot be followed may need any \
            index of its collection, so they stay; if the collection is unknown, nothing is removed.

            In the Enterprise edition no query is refused for its index, so there is no advice: hearth check --edition \
            enterprise names the queries that read whole collections.

            Write the file of queries yourself, or record it with hearth query --record. Ends with 1 if a line of it \
            cannot be read; then nothing is pruned.

            Examples:
              hearth advise --queries queries.ndjson --output firestore.indexes.json
              hearth advise --queries queries.ndjson --indexes firestore.indexes.json
              hearth advise --queries queries.ndjson --indexes firestore.indexes.json \\
                --check
              hearth advise --source src functions --indexes firestore.indexes.json
              hearth advise --queries queries.ndjson --output firestore.indexes.json \\
                --prune --prune-unused users
            """)

    enum Preference: String, ExpressibleByArgument, CaseIterable {
        case size, speed
    }

    @Option(help: ArgumentHelp("The queries; - for standard input.", valueName: "file"), completion: .file())
    var queries: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Files and folders with the source of programs.", valueName: "path"), completion: .file())
    var source: [String] = []
    @Option(
        help: ArgumentHelp("The index file at hand.", valueName: "config"), completion: .file(extensions: ["json"]))
    var indexes: String?
    @Option(
        help: ArgumentHelp("Write the advice to this file; one that exists is edited.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output: String?
    @Flag(help: "Remove indexes that other indexes make redundant.")
    var prune = false
    @Option(
        help: ArgumentHelp(
            "Remove what no query could use of this collection; may be repeated.", valueName: "collection"))
    var pruneUnused: [String] = []
    @Flag(
        help:
            "Write nothing; end with 1 if the file of --output or --indexes lacks something (with --prune: would change)."
    )
    var check = false
    @OptionGroup var database: EditionOption
    @Option(help: "size, or speed: no joins.")
    var prefer = Preference.size
    @Option(help: "text or json (default: text on a terminal, else json).")
    var format: TextFormat?

    func validate() throws {
        guard (queries == nil) != source.isEmpty else {
            throw ValidationError("name either a file of queries with --queries, or programs with --source")
        }
        if check, output == nil, indexes == nil {
            throw ValidationError("--check compares with a file: name it with --output or --indexes")
        }
        if isPruning, !check, output == nil {
            throw ValidationError("--prune edits a file: name it with --output, or add --check")
        }
        if output == "-" {
            throw ValidationError("--output needs a file: standard output has the advice without it")
        }
    }

    private var isPruning: Bool { prune || !pruneUnused.isEmpty }

    func run() throws {
        // The file that is edited: that of --output if it exists.
        let place = output.flatMap { System.isRegularFile($0) ? $0 : nil } ?? indexes
        let edited = try place.map { try ConfigurationFile.valid($0, edition: database.edition) }
        let file =
            indexes == place
            ? edited : try indexes.map { try ConfigurationFile.valid($0, edition: database.edition) } ?? edited
        let edition = try file?.edition ?? database.edition ?? RuleSettings.read(nil).edition ?? .standard
        guard edition == .standard else {
            throw ValidationError(
                "the \(edition.rawValue) edition refuses no query for its index: hearth check --edition \(edition.rawValue) "
                    + "names those that read whole collections")
        }
        file?.warnOfContradictions()
        let log = try readQueries(beside: IndexCatalog(file?.configuration ?? IndexConfiguration()))
        guard !isPruning || log.unreadable == 0 else {
            Diagnostics.write(
                "hearth: nothing is removed or written: queries that were not read may need what would be removed. Correct "
                    + "them, or leave out --prune and --prune-unused")
            throw ExitCode.found
        }
        var advice = log.advisor.smallestConfiguration(replacing: file?.configuration ?? IndexConfiguration())
        advice.configuration = advice.configuration.inCanonicalOrder
        let edit = try edited.map { try apply($0, log) }
        if let edit { reportSpared(edit, log) }
        let report = AdviceReport(
            advice: advice, review: file.map { log.advisor.review($0.configuration) }, removals: edit?.removals ?? [],
            queryCount: log.count, shapeCount: log.advisor.shapeCount, refused: log.refused,
            unresolved: log.unresolved)
        let output = Output()
        let format = self.format ?? (System.isTerminal(System.standardOutput) ? .text : .json)
        switch format {
        case .text: AdviceText(report, isWritten: self.output != nil).write(to: output)
        case .json: output.text(report.node.text(.indented) + "\n")
        }
        if check {
            if let path = self.output, !System.isRegularFile(path) {
                try expectNothing(advice, path)
            } else if let edited, let edit {
                try compare(edited, edit, format, output)
            }
        } else if let path = self.output {
            let text = edit?.source ?? ConfigurationFile.canonical(advice.configuration)
            if !(path == edited?.path && text == edited?.source) { try OutputFile.replace(path, text) }
        }
        if log.unreadable > 0 { throw ExitCode.found }
    }

    private func apply(_ file: ConfigurationFile, _ log: Log) throws(CommandFailure) -> AdvisedEdit {
        try file.expectEditable()
        do throws(JSONSyntaxError) {
            return try log.advisor.edited(
                file.source,
                pruning: .init(redundant: prune, unused: Set(pruneUnused.map { Text($0) }), open: log.open))
        } catch {
            throw CommandFailure("\"\(file.path)\" cannot be edited: \(error.message)")
        }
    }

    /// Prints what the file lacks, and with `--prune` what it has too much, as lines of a difference.
    private func compare(
        _ file: ConfigurationFile, _ edit: AdvisedEdit, _ format: TextFormat, _ output: Output
    ) throws {
        guard edit.source != file.source else { return }
        let lines = LineDifference.lines(file.source, edit.source, name: file.path)
        if format == .text {
            let style = Style.of(System.standardOutput)
            for line in lines {
                output.line(line.hasPrefix("-") ? style.red(line) : line.hasPrefix("+") ? style.green(line) : line)
            }
        } else {
            for line in lines { Diagnostics.write(line) }
        }
        Diagnostics.write("hearth: \"\(file.path)\" would change; \(command(writing: file.path)) writes it")
        throw ExitCode.found
    }

    /// A file that is not there has no index.
    private func expectNothing(_ advice: IndexAdvisor.Advice, _ path: String) throws {
        guard !advice.configuration.isEmpty else { return }
        Diagnostics.write("hearth: \"\(path)\" does not exist; \(command(writing: path)) writes it")
        throw ExitCode.found
    }

    private func command(writing path: String) -> String {
        var words = ["hearth", "advise"] + (queries.map { ["--queries", $0] } ?? ["--source"] + source)
        words += ["--output", path] + (prune ? ["--prune"] : []) + pruneUnused.flatMap { ["--prune-unused", $0] }
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    struct Log {
        var advisor: IndexAdvisor
        /// A recorded shape counts as often as it was seen.
        var count = 0
        var refused = 0
        var unreadable = 0
        /// How many sites of a source could not be followed.
        var unresolved: Int?
        /// The collection groups that these may ask; nil if they may ask any.
        var open: Set<Text>? = []
    }

    /// Reads the queries. Reports and leaves out those that production refuses with or without indexes.
    private func readQueries(beside catalog: IndexCatalog) throws -> Log {
        let database = DatabaseID(project: "hearth")
        var log = Log(advisor: IndexAdvisor(prefer == .size ? .size : .speed))
        guard let queries else {
            try readSource(into: &log, database, catalog)
            return log
        }
        try QueryInput.forEach(in: queries, database: database) { input in
            log.count += input.count
            let place = "\(queries):\(input.line)"
            switch input.requests {
            case .failure(let error):
                log.refused += input.count
                log.unreadable += 1
                Diagnostics.write("hearth: error: \(place): not read: \(error.message)")
            case .success(let requests):
                do throws(InvalidQueryError) {
                    for request in requests { try log.advisor.add(request, database: database) }
                } catch {
                    log.refused += input.count
                    Diagnostics.write("hearth: warning: \(place): skipped, because no index helps: \(error.message)")
                }
            }
        }
        return log
    }
}
