// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import BulkMove
internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import JSONText

struct PlanMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan-move",
        abstract: "Say what moving a database to Cloud Firestore takes, before anything is sent.",
        discussion: """
            Documents, bytes, billed writes, the time at the rate that production asks for, what would make it slow there, and \
            what cannot move. Nothing leaves this machine. Ends with 1 if production would refuse documents.

            Examples:
              hearth plan-move my.db
              hearth plan-move my.db --project my-project --format json
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(help: ArgumentHelp("The project to move to, whose name counts to the length of names.", valueName: "id"))
    var project: String?
    @Option(help: "text or json.")
    var format = TextFormat.text

    func validate() throws { try DatabaseID.check(project: project) }

    func run() throws {
        let (plan, configuration) = try database.open(.reading) { engine in
            let catalog = try engine.catalog()
            let target = project.map { DatabaseID(project: Text($0)) } ?? engine.database
            var scan = MoveScan(engine.database, catalog.indexes)
            let progress = ProgressBar("Reading")
            var count = 0
            var fraction = 0.0
            try engine.forEachDocument(progress: { fraction = $0 }) { document in
                scan.note(document, target: target)
                count += 1
                progress.show(documents: count, fraction: fraction)
            }
            progress.finish()
            let configuration = IndexConfiguration(
                indexes: catalog.composites.map(\.definition), fieldOverrides: catalog.indexes.fieldOverrides)
            return (scan.plan(), configuration)
        }
        let report = MoveReport(plan, configuration, WriteRamp())
        switch format {
        case .json: Output().line(report.json.text())
        case .text: report.write(to: Output())
        }
        if plan.refusedCount > 0 { throw ExitCode.found }
    }
}
