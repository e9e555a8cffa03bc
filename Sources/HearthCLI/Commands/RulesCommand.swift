// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check, test and explain security rules.",
        discussion: """
            Examples:
              hearth rules check firestore.rules
              hearth rules test --rules firestore.rules --cases cases.ndjson
              hearth rules explain firestore.rules --request '{"method":"get","path":"users/a","auth":null}'
              hearth rules coverage --rules firestore.rules --cases cases.ndjson --format html > coverage.html
            """,
        subcommands: [
            RulesCheckCommand.self, RulesTestCommand.self, RulesExplainCommand.self, RulesCoverageCommand.self,
        ])
}
