// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText
internal import QueryPlanner

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print documents as lines of JSON, in the order of their names.",
        discussion: """
            The lines are in the lossless form: importing them into an empty database gives the same documents. Times and \
            indexes are not in it. --format plain and csv are for other programs; they lose the types.

            Examples:
              hearth export my.db > backup.ndjson
              hearth export my.db --collection cities/SF/landmarks
              hearth export my.db --collection cities --format csv > cities.csv
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: ArgumentHelp("Only the documents of this collection, without those below them.", valueName: "path"))
    var collection: String?
    @Option(help: "ndjson (lossless), plain (JSON without types) or csv.")
    var format = ExportFormat.ndjson

    func validate() throws {
        if let collection { _ = try CollectionPath(argument: collection) }
    }

    func run() throws {
        let path = try collection.map { try CollectionPath(argument: $0) }
        let scope: DocumentScope = path.map { .collection($0) } ?? .descendants(of: nil)
        let output = Output(asData: format == .csv)
        try database.open(.reading) { engine in
            let columns = format == .csv ? try ExportCommand.columns(engine, scope) : []
            if format == .csv { output.line(CSV.line(["__name__"] + columns.map(\.string))) }
            var writer = JSONWriter()
            try engine.forEachDocument(in: scope) { document in
                switch format {
                case .csv: return output.line(CSV.line(document.path, document.fields, columns: columns))
                case .plain: PlainOutput.write(document.path, document.fields, to: &writer)
                case .ndjson:
                    DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
                }
                output.line(&writer)
            }
        }
    }

    /// The names of all fields, in order.
    private static func columns(_ engine: Engine, _ scope: DocumentScope) throws -> [Text] {
        var names: Set<Text> = []
        try engine.forEachDocument(in: scope) { document in
            for field in document.fields { names.insert(field.name) }
        }
        return names.sorted()
    }
}
