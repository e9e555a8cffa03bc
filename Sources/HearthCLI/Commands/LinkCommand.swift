// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

struct LinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Read and make the console links that create indexes.",
        discussion: """
            Examples:
              hearth link decode "https://console.firebase.google.com/…?create_composite=…"
              hearth link encode firestore.indexes.json --project my-project
            """,
        subcommands: [LinkDecodeCommand.self, LinkEncodeCommand.self])
}

struct LinkDecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Print the index behind a console link, ready to paste into a firestore.indexes.json.",
        discussion: """
            Example:
              hearth link decode "https://console.firebase.google.com/v1/r/project/p/firestore/indexes?create_composite=…"
            """)

    @Argument(help: "The whole address, or what follows create_composite= in it.")
    var url: String

    func run() throws {
        let link: ConsoleLink
        do {
            link = try ConsoleLink(decoding: url)
        } catch {
            throw ValidationError(error.description)
        }
        Output().text(LinkDecodeCommand.node(link).text(.indented) + "\n")
    }

    private static func node(_ link: ConsoleLink) -> JSONNode {
        let definition = link.definition
        guard let index = link.singleField, let field = definition.fields.first else {
            return ConfigurationWriter.fix([definition])
        }
        return ConfigurationWriter.fix(adding: index, to: field.path, in: definition.collectionGroup)
    }
}

struct LinkEncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Print a console link for each index of a file.",
        discussion: """
            One link a line: the composite indexes in the file's order, then the indexes that field overrides add.

            Example:
              hearth link encode firestore.indexes.json --project my-project
            """)

    @Argument(help: "An index file; - for standard input.", completion: .file(extensions: ["json"]))
    var config: String
    @Option(help: ArgumentHelp("The project ID.", valueName: "id"))
    var project: String

    func run() throws {
        let file = try ConfigurationFile.usable(config)
        let configuration = file.configuration
        let database = DatabaseID(project: Text(project))
        let output = Output()
        for definition in configuration.indexes {
            output.line(ConsoleLink(database: database, definition: definition).url)
        }
        for override in configuration.fieldOverrides {
            guard let path = override.path else { continue }
            let added = override.indexes.subtracting(SingleFieldIndex.automatic)
            let links = added.map { index in
                ConsoleLink(
                    database: database, definition: index.definition(of: path, in: override.collectionGroup),
                    singleField: index
                ).url
            }
            for link in links.sorted() { output.line(link) }
        }
        try file.endAsRead()
    }
}
