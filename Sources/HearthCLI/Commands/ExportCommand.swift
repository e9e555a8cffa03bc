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
            indexes are not in it.

            Examples:
              hearth export my.db > backup.ndjson
              hearth export my.db --collection cities/SF/landmarks
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: ArgumentHelp("Only the documents of this collection, without those below them.", valueName: "path"))
    var collection: String?

    func validate() throws {
        if let collection { _ = try CollectionPath(argument: collection) }
    }

    func run() throws {
        let path = try collection.map { try CollectionPath(argument: $0) }
        let output = Output()
        try database.open(.reading) { engine in
            var writer = JSONWriter()
            try engine.forEachDocument(in: path.map { .collection($0) } ?? .descendants(of: nil)) { document in
                DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
                output.line(&writer)
            }
        }
    }
}
