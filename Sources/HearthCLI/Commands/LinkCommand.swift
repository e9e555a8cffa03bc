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
              hearth link decode "https://console.firebase.google.com/…?create_composite=…"
              grep create_composite app.log | hearth link decode -
            """)

    @Argument(
        help: "The whole address, an error message with it, or what follows create_composite=; - for standard input.")
    var url: String

    func run() throws {
        let texts = url == "-" ? LinkDecodeCommand.links(try InputFile.contents(url)) : [url]
        guard !texts.isEmpty else { throw CommandFailure("standard input has no link with create_composite=") }
        for text in texts {
            let link: ConsoleLink
            do {
                link = try ConsoleLink(decoding: text)
            } catch {
                throw ValidationError(error.description)
            }
            Output().text(LinkDecodeCommand.node(link).text(.indented) + "\n")
        }
    }

    /// The words of a text that are links, once each. A text of one word is taken as it is.
    private static func links(_ bytes: [UInt8]) -> [String] {
        let words = String(decoding: bytes, as: UTF8.self).split { " \n\r\t\"'<>()[]".contains($0) }.map(String.init)
        var seen: Set<String> = []
        let links = words.filter { word in word.contains("create_") && word.contains("=") && seen.insert(word).inserted
        }
        return links.isEmpty && words.count == 1
            ? words
            : links.map { link in
                String(link.reversed().drop { ".,;:".contains($0) }.reversed())
            }
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
            One link a line: the composite indexes in the file's order, then the indexes that field overrides add. For \
            a query, as text or copied from a program: the indexes that it needs.

            Example:
              hearth link encode firestore.indexes.json --project my-project
              hearth link encode "cities.where('state','==',state).orderBy('name')" \\
                --project my-project
            """)

    @Argument(
        help: "An index file, - for standard input, or a query.", completion: .file(extensions: ["json"]))
    var config: String
    @Option(help: ArgumentHelp("The project ID.", valueName: "id"))
    var project: String

    func run() throws {
        let database = try DatabaseID(named: project, "(default)")
        let output = Output()
        if config != "-", !System.exists(config), config.contains("(") { return try encodeQuery(database, output) }
        let file = try ConfigurationFile.usable(config)
        let configuration = file.configuration
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

    /// The links for the indexes that a query needs beside the automatic ones.
    private func encodeQuery(_ database: DatabaseID, _ output: Output) throws {
        let input = try QueryInput(argument: config, database: database)
        var configuration = GrowingConfiguration(IndexConfiguration())
        for request in try input.requests.get() {
            for missing in configuration.serve(request, database: database) {
                output.line(missing.link(in: database).url)
            }
        }
    }
}
