// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText

struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one document as a line of JSON.",
        discussion: """
            Ends with 1 if there is no such document.

            Example:
              hearth get my.db cities/SF
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The document's path, such as cities/SF, or its full name.")
    var document: String

    func validate() throws { _ = try DocumentPath(argument: document) }

    func run() throws {
        try database.open(.reading) { engine in
            let path = try DocumentPath(argument: self.document, in: engine.database)
            guard let document = try engine.document(path) else {
                Diagnostics.write("hearth: there is no document \(path)")
                throw ExitCode.found
            }
            var writer = JSONWriter()
            DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
            Output().line(&writer)
        }
    }
}
