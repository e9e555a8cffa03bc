// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog

struct TimeToLiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ttl",
        abstract: "Delete documents whose time to live has passed.",
        discussion: """
            Examples:
              hearth ttl sweep my.db
            """,
        subcommands: [TimeToLiveSweepCommand.self])
}

struct TimeToLiveSweepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Delete expired documents, and print their paths.",
        discussion: """
            A document expires at the timestamp in the field that a field override of its collection group marks with \
            "ttl": true. A document without a timestamp in that field stays. Documents in collections below a deleted \
            one stay too. Programs may write meanwhile. Then the database forgets the collections that have no documents any \
            more, and the fields that no document has; a file to which "hearth serve" has written within an hour is left to it.

            Example:
              hearth ttl sweep my.db
            """)

    @OptionGroup var database: DatabaseArgument

    func run() throws {
        try database.open(.writing) { engine in
            let output = Output()
            let fields = try engine.catalog().indexes.fieldOverrides.filter { $0.timeToLive == true }
            if fields.isEmpty {
                Diagnostics.write("hearth: no field override says \"ttl\": true, so nothing expires")
            }
            let count = try engine.deleteExpired { output.line($0.description) }
            output.line("\(Numbers.counted(count, "document")) deleted")
            try engine.forgetWhatIsEmpty()
        }
    }
}
