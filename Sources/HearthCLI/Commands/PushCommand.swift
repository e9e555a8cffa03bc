// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentExport
internal import DocumentModel

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Move a database's documents to Cloud Firestore, or into the files that it imports.",
        discussion: """
            Indexes first, the difference only, until the server has built them. Then documents, spread over all names, at the \
            rate that production asks for. The server's versions are kept in a new file beside the database, which takes its \
            place at the end: a program that opens it with a remote has its offline data, and shows it at once. The database as \
            it was keeps the name with .before-push. Interrupted, the same command goes on. Programs may read and write \
            meanwhile, but must be closed at the end.

            Then the server's versions are compared with those that were written, and what others have written is fetched. It \
            costs one read a document, and a program's first listen of a query need not download its rows, as long as the server \
            has old versions: for an hour, or for seven days with point-in-time recovery. --no-compare leaves it out, and first \
            listens download.

            With --to-export the documents become files in the format of managed exports, which production imports from a \
            bucket and the emulator by --seed_from_export. That is the better way from about ten million documents on.

            References to the database's own documents lead to the new database. `hearth plan-move` says beforehand what a \
            move takes.

            Examples:
              hearth push my.db --project my-project --credentials key.json
              hearth push my.db --project my-project --to-export moved
              gcloud storage cp -r moved/firestore_export gs://my-bucket
              gcloud firestore import gs://my-bucket/firestore_export
            """)

    @OptionGroup var database: DatabaseArgument
    @OptionGroup var remote: RemoteDatabase
    @Option(
        help: ArgumentHelp("Write an export into this folder, and send nothing.", valueName: "folder"),
        completion: .directory)
    var toExport: String?

    @Option(
        help: ArgumentHelp(
            "Writes a second at first; half as many more every 5 minutes (default: 500, for an emulator 100000).",
            valueName: "number"))
    var rate: Int?

    @Flag(
        inversion: .prefixedNo, help: "Compare the server's versions at the end, so that first listens go on from them."
    )
    var compare = true

    func validate() throws {
        _ = try remote.id()
        if let rate, rate < 1 { throw ValidationError("--rate takes a number from 1 on") }
        guard toExport != nil else { return }
        try remote.expectNoServer(beside: "--to-export")
        if rate != nil || !compare {
            throw ValidationError("--rate and --no-compare belong to a push to a server; --to-export sends nothing")
        }
    }

    private func pushToServer() throws {
        #if Connected
            try NetworkPush(database.path, remote, rate: rate, compares: compare).run()
        #else
            throw CommandFailure.withoutNetwork
        #endif
    }

    func run() throws {
        let target = try remote.id()
        guard let toExport else { return try pushToServer() }
        try database.open(.reading) { engine in
            let progress = ProgressBar("Writing")
            do {
                let destination = try ExportDestination(toExport)
                let count = try destination.replace { folder in
                    let count = try engine.export(as: target, to: "\(folder)/\(ExportFolder.firestoreName)") {
                        progress.show(documents: $0, fraction: nil)
                    }
                    try ExportFolder.writeFirebaseFile(in: folder)
                    return count
                }
                progress.finish()
                Output().line(
                    "\(Numbers.counted(count, "document")) of \(target.resourceName) exported to \(destination.path)"
                )
            } catch let error as ExportError {
                throw CommandFailure(error.message)
            } catch let error as EngineError {
                throw error
            } catch {
                throw CommandFailure(ExportError(unwritable: toExport, error).message)
            }
        }
    }
}
