// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText
internal import QueryPlanner

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Run a query, or each query of a file.",
        discussion: """
            A query is text, as people write it in code, or Firestore's JSON. It runs if production Firestore would run \
            it with the database's indexes. Otherwise it is refused, the missing index is named, and the command ends \
            with 1.

            Examples:
              hearth query my.db \\
                "cities.where('state','==','CA').orderBy('population','desc').limit(3)"
              hearth query my.db "collectionGroup('landmarks').where('open','==',true)" \\
                --explain
              hearth query my.db \\
                '{"structuredQuery":{"from":[{"collectionId":"cities"}],"limit":1}}' \\
                --format json
              hearth query my.db --queries queries.ndjson --names-only
              hearth query my.db "cities.orderBy('population')" --format csv > cities.csv
              hearth query my.db "cities.where('state','==','CA')" --record queries.ndjson
              hearth query my.db --values state=CA \\
                'db.collection("cities").whereField("state", isEqualTo: state)'
            """)

    enum Strategy: String, ExpressibleByArgument, CaseIterable {
        case production
    }

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The query, as text or JSON.")
    var query: String?
    @Option(
        help: ArgumentHelp("A file with one query a line; - for standard input.", valueName: "file"),
        completion: .file())
    var queries: String?
    @Option(
        help: "json or table (default: table on a terminal, else json), or only the rows: plain (JSON), csv or ndjson.")
    var format: RowFormat?
    @Flag(help: "Print the documents' names only.")
    var namesOnly = false
    @Flag(help: "Print the plan too.")
    var explain = false
    @Flag(help: "Print the plan and what running it took.")
    var analyze = false
    @Option(name: .customLong("as"), help: "Run the plan of production, entry by entry.")
    var strategy: Strategy?
    @Flag(help: "Run a query without an index by scanning, with a warning.")
    var allowScan = false
    @Option(
        help: ArgumentHelp(
            "Append what was asked, without values, to a file that check and advise read.", valueName: "file"),
        completion: .file())
    var record: String?
    @Option(
        name: .customLong("values"),
        help: ArgumentHelp("The value of a variable in the query; may be repeated.", valueName: "name=value"),
        transform: PlaceholderValue.parsed)
    var values: [PlaceholderValue] = []
    @Option(help: ArgumentHelp("The project that links to the console name (default: hearth).", valueName: "id"))
    var project: String?

    func validate() throws {
        guard (query == nil) != (queries == nil) else {
            throw ValidationError("give one query, or a file of them with --queries")
        }
        if let format, format.isRowsAlone, explain || analyze {
            throw ValidationError("--format \(format.rawValue) has no place for plans: use json or table")
        }
        try DatabaseID.check(project: project)
        try PlaceholderValue.expectDistinct(values)
    }

    func run() throws {
        let printer = AnswerPrinter(format ?? (System.isTerminal(System.standardOutput) ? .table : .json))
        printer.namesOnly = namesOnly
        printer.explains = explain
        printer.analyzes = analyze
        printer.showsHeadlines = queries != nil
        let values = PlaceholderValues(values, areRequired: true)
        let code = try database.open(.reading) { engine in
            let catalog = try engine.catalog().indexes
            let named = DatabaseID(project: Text(project ?? "hearth"), database: engine.database.database)
            var code: Int32 = 0
            let recorder = try record.map { try openRecorder($0, engine.database) }
            func answer(_ input: QueryInput) {
                let answer = QueryAnswer(
                    input: input, outcome: outcome(input, engine), catalog: catalog, database: engine.database,
                    named: named)
                printer.write(answer)
                if let recorder, answer.isAboutIndexes, case .success(let request) = input.request {
                    recorder.record(request)
                }
                code = max(code, answer.exitCode)
            }
            if let query {
                let input = try QueryInput(argument: query, database: engine.database, values)
                try values.expectUse()
                answer(input)
                try CollectionSpelling.help(input, engine)
            }
            if let queries {
                try QueryInput.forEach(
                    in: queries, database: engine.database, flushing: printer.output, values, answer)
            }
            if let record, recorder?.finish() == false {
                throw CommandFailure(
                    "\"\(record)\" does not have all queries: it could not be written. Is the disk full?")
            }
            try values.expectUse()
            return code
        }
        if code != 0 { throw ExitCode(code) }
    }

    private func openRecorder(_ path: String, _ database: DatabaseID) throws(CommandFailure) -> QueryRecorder {
        do throws(EngineError) {
            return try QueryRecorder(appendingTo: path, database: database)
        } catch {
            throw CommandFailure(error.message)
        }
    }

    private func outcome(_ input: QueryInput, _ engine: Engine) -> QueryAnswer.Outcome {
        do {
            return .run(
                try input.request.get(), engine, allowScan: allowScan,
                by: strategy == .production ? .production : .fastest,
                isCounted: analyze)
        } catch {
            return .invalid(error)
        }
    }
}
