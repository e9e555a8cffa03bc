// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

#if Server
    internal import FirestoreServer
#endif

struct ExecCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command beside a server of its own, with a fresh database.",
        discussion: """
            Starts `hearth serve` on a free port, sets FIRESTORE_EMULATOR_HOST (and GCLOUD_PROJECT, if it is unset) for the \
            command, and ends with its exit code. With --check it then ends with 1 if the command's queries need an index that \
            the index file lacks. SIGINT, SIGTERM and SIGHUP are passed on to the command, and what --export-on-exit and \
            --write-indexes ask for is done when it ends.

            Examples:
              hearth exec -- npm test
              hearth exec --check --indexes firestore.indexes.json -- python -m pytest
            """)

    #if Server
        @OptionGroup var options: ServeOptions
        @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
        var command: [String] = []

        func validate() throws {
            if command.isEmpty { throw ValidationError("name a command after --, such as: hearth exec -- npm test") }
        }

        func run() throws {
            Termination.expect()
            let inherited = ChildProcess.descriptors
            let (server, files) = try options.start(defaultPort: 0) { 128 + $0 }
            for line in files.announcement { Diagnostics.write("hearth: \(line)") }
            var environment = ["FIRESTORE_EMULATOR_HOST": files.address]
            if System.environment("GCLOUD_PROJECT") == nil {
                environment["GCLOUD_PROJECT"] = options.project ?? "demo-hearth"
            }
            let code: Int32
            do {
                code = try ChildProcess.run(command, environment: environment, inherited: inherited)
            } catch {
                throw CommandFailure("could not run \"\(command[0])\": \(error)")
            }
            server.stop()
            do {
                try options.finish(server)
            } catch {
                guard code != 0 else { throw error }
                // The command's code comes first. What a check has found is printed.
                if let failure = error as? CommandFailure { Diagnostics.write("hearth: \(failure.message)") }
            }
            if code != 0 { throw ExitCode(code) }
        }
    #else
        @Argument(parsing: .captureForPassthrough, help: .hidden)
        var command: [String] = []

        func run() throws { throw CommandFailure.withoutServer }
    #endif
}
