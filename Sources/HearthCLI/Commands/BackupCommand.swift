// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a database to a new file while others use it.",
        discussion: """
            The copy is one consistent state. An existing file is never overwritten.

            Example:
              hearth backup my.db my-backup.db
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "The new file.", completion: .file())
    var out: String

    func run() throws {
        try database.open(.reading) { engine in try engine.copy(to: out, compacting: false) }
    }
}
