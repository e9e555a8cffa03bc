// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Print the plan of a query without running it.",
        discussion: """
            The indexes are those of a database or of a file. Ends with 1 if no index serves the query. The query may \
            be copied from a program in any language that Firestore has a library for; variables stand for any value.

            Examples:
              hearth explain "cities.where('state','==','CA').orderBy('population')" \\
                --indexes firestore.indexes.json
              hearth explain "cities.where('state','==','CA')" --db my.db --analyze
            """)

    @Argument(help: "The query, as text or JSON.")
    var query: String
    @Option(
        name: .customLong("db"), help: ArgumentHelp("Plan with this database's indexes.", valueName: "db"),
        completion: .file())
    var path: String?
    @Option(
        help: ArgumentHelp("Plan with the indexes of this file.", valueName: "config"),
        completion: .file(extensions: ["json"]))
    var indexes: String?
    @OptionGroup var edition: EditionOption
    @Flag(help: "Run the query too, and print what that took; needs --db.")
    var analyze = false
    @Option(help: "text or json.")
    var format = TextFormat.text
    @Option(
        name: .customLong("values"),
        help: ArgumentHelp("The value of a variable in the query; may be repeated.", valueName: "name=value"),
        transform: PlaceholderValue.parsed)
    var values: [PlaceholderValue] = []
    @Option(help: ArgumentHelp("The project that links to the console name (default: hearth).", valueName: "id"))
    var project: String?

    func validate() throws {
        guard (path == nil) != (indexes == nil) else {
            throw ValidationError("name either a database with --db or an index file with --indexes")
        }
        if edition.edition != nil, path != nil { throw ValidationError("--edition belongs to --indexes") }
        if analyze, path == nil { throw ValidationError("--analyze runs the query: it needs a database, --db") }
        try DatabaseID.check(project: project)
        try PlaceholderValue.expectDistinct(values)
    }

    func run() throws {
        let answer: QueryAnswer
        if let path {
            answer = try DatabaseArgument(path).open(.reading) { try explain($0) }
        } else {
            answer = try explain(try CheckedIndexes(indexes ?? "-", edition.edition))
        }
        let output = Output()
        switch format {
        case .text:
            var printer = QueryTableOutput()
            printer.rows = false
            printer.explain = true
            printer.write(answer, to: output)
        case .json:
            var printer = QueryJSONOutput()
            printer.rows = false
            printer.explain = true
            printer.analyze = analyze
            printer.write(answer, to: output)
        }
        if answer.exitCode != 0 { throw ExitCode(answer.exitCode) }
    }

    private func explain(_ engine: Engine) throws -> QueryAnswer {
        let input = try input(engine.database, areRequired: analyze)
        let catalog = try engine.catalog().indexes
        let outcome =
            analyze
            ? try QueryAnswer.Outcome.run(
                input.request.get(), engine, allowScan: false, isCounted: true, showsRows: false)
            : QueryAnswer.Outcome.plan(input, catalog, engine.database)
        return QueryAnswer(
            input: input, outcome: outcome, catalog: catalog, database: engine.database,
            named: DatabaseID(project: Text(project ?? "hearth"), database: engine.database.database))
    }

    private func input(_ database: DatabaseID, areRequired: Bool) throws -> QueryInput {
        let values = PlaceholderValues(values, areRequired: areRequired)
        let input = try QueryInput(argument: query, database: database, values)
        try values.expectUse()
        return input
    }

    private func explain(_ indexes: CheckedIndexes) throws -> QueryAnswer {
        let database = DatabaseID(project: Text(project ?? "hearth"))
        let input = try input(database, areRequired: false)
        return QueryAnswer(
            input: input, outcome: indexes.outcome(input, database), catalog: indexes.catalog, database: database,
            named: database)
    }
}
