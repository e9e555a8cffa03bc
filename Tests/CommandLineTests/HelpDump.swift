// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The commands that the program lists.
enum HelpDump {
    struct Command {
        /// The words that call it: `indexes list`.
        let name: String
        /// The values of its `--format`.
        let formats: [String]
    }

    /// The commands without subcommands.
    static func commands(_ bench: Workbench) throws -> [Command] {
        let run = try bench.hearth("--experimental-dump-help")
        let dump = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8))
        return leaves(dump.command, [])
    }

    private static func leaves(_ command: Dump.Command, _ words: [String]) -> [Command] {
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        guard below.isEmpty else { return below.flatMap { leaves($0, words + [$0.commandName]) } }
        let format = command.arguments?.first { $0.valueName == "format" }
        return [Command(name: words.joined(separator: " "), formats: format?.allValues ?? [])]
    }

    private struct Dump: Decodable {
        struct Command: Decodable {
            let commandName: String
            let subcommands: [Command]?
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let valueName: String?
            let allValues: [String]?
        }

        let command: Command
    }
}
