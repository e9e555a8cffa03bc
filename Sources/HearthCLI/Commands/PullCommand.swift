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
            With --from-export the documents come from files in the format of managed exports, which production exports into a \
            bucket. A document replaces one of the same name; the others stay. A missing database is created, for the project \
            and database of the documents. References to the exported database lead to the new one.

            Examples:
              gcloud storage cp -r gs://my-bucket/2026-01-31T12:00:00_1234 export
              hearth pull my.db --from-export export
            """)

    @OptionGroup var database: DatabaseArgument
    @OptionGroup var remote: RemoteDatabase
    @Option(
        help: ArgumentHelp("Read the export in this folder, and ask no server.", valueName: "folder"),
        completion: .directory)
    var fromExport: String?

    func validate() throws {
        if fromExport == nil { _ = try remote.id() }
    }

    func run() throws {
        guard let fromExport else { throw CommandFailure.withoutNetwork }
        do {
            let folders = try ExportFolder.all(at: fromExport)
            guard folders.count == 1, let folder = folders.first else {
                throw CommandFailure("\"\(fromExport)\" holds several exports; name the folder of one of them")
            }
            let documents = try ExportedDocuments(folder)
            let identity = remote.project == nil ? documents.database : try remote.id()
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
