// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Copy a database to a new file without its free space.",
        discussion: """
            Others may use the database meanwhile. An existing file is never overwritten.

            Example:
              hearth compact my.db smaller.db
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The new file.", completion: .file())
    var out: String

    func run() throws {
        try database.open(.reading) { engine in try engine.copy(to: out, compacting: true) }
    }
}
