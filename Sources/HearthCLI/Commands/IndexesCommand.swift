// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

struct IndexesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes",
        abstract: "Build the indexes of a firestore.indexes.json, or list those of a database.",
        discussion: """
            Examples:
              hearth indexes apply my.db firestore.indexes.json
              hearth indexes list my.db
            """,
        subcommands: [IndexesApplyCommand.self, IndexesListCommand.self])
}
