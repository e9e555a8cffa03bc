// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

#if Server
    internal import DocumentModel
    internal import FirestoreServer
    internal import IndexCatalog
#endif

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve databases to Cloud Firestore's own clients, and refuse queries that lack an index.",
        discussion: """
            Clients that know FIRESTORE_EMULATOR_HOST need no change. Queries are answered as production answers them: a \
            query without its index is refused with the definition to paste. Indexes come from --indexes, else from \
            firebase.json or firestore.indexes.json in the working folder; the file is read again when it changes.

            Requests go through the security rules of --rules, else through firebase.json's; without any, everything is allowed.

            Without --data, databases are kept in memory and lost at the end.

            Examples:
              hearth serve
              hearth serve --port 8080 --indexes firestore.indexes.json --data .hearth
              hearth serve --mode record --write-indexes firestore.indexes.json
            """)

    #if Server
        @OptionGroup var options: ServeOptions

        func run() throws {
            Termination.expect()
            let (server, files) = try options.start(defaultPort: 8080) { _ in 0 }
            let output = Output()
            for line in files.announcement { output.line(line) }
            output.line()
            output.line("If your library reads FIRESTORE_EMULATOR_HOST, run:")
            output.line("  export FIRESTORE_EMULATOR_HOST=\(files.address)")
            output.line()
            output.line("Console: http://\(files.address)/console")
            output.line("Hearth is now running at http://\(files.address)")
            output.flush()
            Termination.wait(lookingEvery: 500) { files.readAgainIfChanged(server) }
            server.stop()
            try options.finish(server)
        }
    #else
        func run() throws { throw CommandFailure.withoutServer }
    #endif
}

extension CommandFailure {
    /// This program was built without the trait that brings the server.
    static let withoutServer = CommandFailure(
        "this hearth was built without the server; `make install` builds it with the server, as does "
            + "`swift build -c release --traits Server --product hearth`")
}
