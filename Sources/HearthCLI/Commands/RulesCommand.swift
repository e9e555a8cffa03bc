// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check, format and test security rules.",
        discussion: """
            Examples:
              hearth rules check firestore.rules
              hearth rules fmt firestore.rules --write
              hearth rules test --rules firestore.rules --cases cases.ndjson
            """,
        subcommands: [RulesCheckCommand.self, RulesFormatCommand.self, RulesTestCommand.self])
}
