// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentExport
internal import DocumentModel

struct PullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Bring the documents of Cloud Firestore, or of its export, into a database.",
        discussion: """
            The server's documents are read as they were at one time, in the order of their names: in production at the last whole \
            minute, of an emulator now. Production answers such reads for an hour, with point-in-time recovery for seven days; use \
            an export for more. What was read is kept beside the database, with \
            .pull at the end of its name, until all is in: interrupted, the same command goes on, or begins anew if the server \
            has no state of that time any more. Composite indexes and field overrides come too; an emulator lists none.

            With --from-export the documents come from files in the format of managed exports, which production exports into a \
            bucket. References to the exported database lead to the new one.

            A document replaces one of the same name; the others stay. A missing database is created, for the project and \
            database of the documents.

            Examples:
              hearth pull my.db --project my-project --credentials key.json
              gcloud storage cp -r gs://my-bucket/2026-01-31T12:00:00_1234 export
              hearth pull my.db --from-export export
            """)

    @OptionGroup var database: DatabaseArgument
    @OptionGroup var remote: RemoteDatabase
    @Option(
        help: ArgumentHelp("Read the export in this folder, and ask no server.", valueName: "folder"),
        completion: .directory)
    var fromExport: String?

    private func pullFromServer() throws {
        #if Connected
            try NetworkPull(database, remote).run()
        #else
            throw CommandFailure.withoutNetwork
        #endif
    }

    func validate() throws {
        guard fromExport != nil else {
            _ = try remote.id()
            return
        }
        _ = try remote.idIfNamed()
        try remote.expectNoServer(beside: "--from-export")
    }

    func run() throws {
        guard let fromExport else { return try pullFromServer() }
        do {
            let folders = try ExportFolder.all(at: fromExport)
            guard folders.count == 1, let folder = folders.first else {
                throw CommandFailure(
                    "\"\(fromExport)\" holds several exports; name the folder of one of them")
            }
            let documents = try ExportedDocuments(folder)
            let identity = try remote.idIfNamed() ?? documents.database
            try database.open(.creating(identity)) { engine in
                let progress = ProgressBar("Reading")
                let count = try engine.load(documents, movesReferences: true) {
                    progress.show(documents: $0, fraction: nil)
                }
                progress.finish()
                Output().line(
                    "\(Numbers.counted(count, "document")) of \(engine.database.resourceName) pulled into \(database.path)"
                )
            }
        } catch let error as ExportError {
            throw CommandFailure(error.message)
        }
    }
}
