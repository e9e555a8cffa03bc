// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

struct RulesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Check, format, test, explain and prove security rules.",
        discussion: """
            Examples:
              hearth rules check firestore.rules
              hearth rules fmt firestore.rules --write
              hearth rules test --rules firestore.rules --cases cases.ndjson
              hearth rules prove firestore.rules \\
                --claim "users/{uid}: write only if request.auth.uid == uid"
              hearth rules explain firestore.rules \\
                --request '{"method":"get","path":"users/a","auth":null}'
              hearth rules coverage --rules firestore.rules --cases cases.ndjson \\
                --format html > coverage.html
            """,
        subcommands: [
            RulesCheckCommand.self, RulesFormatCommand.self, RulesProveCommand.self, RulesTestCommand.self,
            RulesExplainCommand.self, RulesCoverageCommand.self,
        ])
}
