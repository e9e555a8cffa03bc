// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONText

@main
struct HearthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract:
            "A document database with Cloud Firestore's data model, queries and indexes, and tools for index files.",
        discussion: """
            Load documents, build the indexes of a firestore.indexes.json, and ask:

              hearth import my.db cities.ndjson
              hearth indexes apply my.db firestore.indexes.json
              hearth query my.db \\
                "cities.where('state','==','CA').orderBy('population','desc').limit(3)"

            Check index files without any database:

              hearth validate firestore.indexes.json
              hearth check --indexes firestore.indexes.json --queries queries.ndjson

            Exit codes: 0 done, nothing found; 1 something was found; 2 it could not run; 64 wrong usage.
            """,
        version: "0.1.0",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Documents",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, GetCommand.self, SetCommand.self, UpdateCommand.self,
                    DeleteCommand.self, CommitCommand.self,
                ]),
            CommandGroup(name: "Queries", subcommands: [QueryCommand.self, ExplainCommand.self, ShellCommand.self]),
            CommandGroup(
                name: "Database",
                subcommands: [
                    IndexesCommand.self, VerifyCommand.self, RepairCommand.self, StatsCommand.self, BackupCommand.self,
                    CompactCommand.self,
                    TimeToLiveCommand.self,
                ]),
            CommandGroup(
                name: "Cloud Firestore", subcommands: [PlanMoveCommand.self, PushCommand.self, PullCommand.self]),
            CommandGroup(name: "Server", subcommands: [ServeCommand.self, ExecCommand.self]),
            CommandGroup(
                name: "Index files",
                subcommands: [
                    ValidateCommand.self, CheckCommand.self, AdviseCommand.self, FormatCommand.self, DiffCommand.self,
                    LinkCommand.self, ConvertCommand.self,
                ]),
            CommandGroup(name: "Security rules", subcommands: [RulesCommand.self]),
        ])

    static func main() {
        System.reserveStandardDescriptors()
        System.ignoreFileSizeSignal()
        guard System.argumentsAreText else {
            // Two names would become one, of another file.
            Diagnostics.write("Error: an argument is not UTF-8, as all names of files and all text must be.")
            System.end(ExitCode.validationFailure.rawValue)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let advice = CommandSpelling.advice(arguments, under: HearthCommand.self) {
            Diagnostics.write("Error: \(advice)")
            Diagnostics.write("  See 'hearth --help'.")
            System.end(ExitCode.validationFailure.rawValue)
        }
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let error as ValidationError {
            // An argument that only `run` can check. The parser would show the usage of no particular command.
            Diagnostics.write("Error: \(error.message)")
            System.end(ExitCode.validationFailure.rawValue)
        } catch let failure as CommandFailure {
            Diagnostics.write("hearth: \(failure.message)")
            System.end(failure.code)
        } catch {
            end(error)
        }
    }

    /// Help and version were requested. Everything else is an error, whose message may be empty.
    private static func end(_ error: any Error) -> Never {
        // A command that has run may have left threads behind.
        if let code = error as? ExitCode { System.end(code.rawValue) }
        // The parser ends the process where there are too few columns for its help.
        System.setEnvironment("COLUMNS", to: String(Screen.helpWidth))
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        if code.isSuccess {
            Output().text(message + "\n")
        } else if !message.isEmpty {
            Diagnostics.text(message.boundedMessage + "\n")
        }
        System.end(code.rawValue)
    }
}
