// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import JSONText
internal import ReplicaStore

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Rebuild every index from the documents, set aside what cannot be read, and upgrade older files.",
        discussion: """
            Everything happens in one commit, so an interrupted repair changes nothing. Documents that cannot be read \
            are removed from the database and appended, as stored, to a file beside it; the command then ends with 1. \
            If the file's structure is damaged, nothing is changed: restore a backup.

            A file that an older version of Hearth made is upgraded to the current format in the same commit. Copy the file \
            before, and close it in every program.

            Of the damaged offline data of a client of Cloud Firestore, the writes that wait for the server and those that \
            it has refused are kept; the client fetches everything else again.

            Example:
              hearth repair my.db
            """)

    @OptionGroup var database: DatabaseArgument
    @Option(
        help: ArgumentHelp(
            "Where to put what cannot be read (default: the database's path with .unreadable.ndjson).",
            valueName: "file"),
        completion: .file())
    var aside: String?

    func run() throws {
        if try isReplica() { return try heal() }
        let aside = aside ?? database.path + ".unreadable.ndjson"
        let report = try repair(settingAsideIn: aside)
        let output = Output()
        if let format = report.upgradedFormat { output.line("upgraded from format \(format)") }
        for problem in report.repaired { output.line(problem) }
        for record in report.setAside { output.line(record.reason) }
        output.line(
            "\(Numbers.counted(report.documents, "document")): "
                + "\(Numbers.counted(report.entries, "index entry", "index entries")) built anew")
        if !report.setAside.isEmpty {
            output.line("\(Numbers.counted(report.setAside.count, "record")) set aside in \(aside)")
        }
        if report.hasLostDefinitions || !report.setAside.isEmpty { throw ExitCode.found }
    }

    private func isReplica() throws -> Bool {
        System.expectDamage(endingWith: .couldNotRun)
        var options = Engine.Options()
        options.readOnly = true
        return (try? Engine.open(database.path, options))?.isReplica ?? false
    }

    /// Prints what is wrong first, in a child process, as reading damaged pages can end it.
    private func heal() throws {
        if case .exit(0)? = try? System.runAgain(["verify", "--in-this-process", "--", database.path]) { return }
        let healing: ReplicaHealing
        do { healing = try ReplicaHealing.heal(fileAt: database.path) } catch {
            throw CommandFailure(error, database: database.path)
        }
        let output = Output()
        for reason in healing.lost { output.line(reason) }
        output.line(
            "\(Numbers.counted(healing.pendingWrites, "pending write")) and "
                + "\(Numbers.counted(healing.rejectedWrites, "rejected write")) kept: the client fetches everything else again"
        )
        guard let kept = healing.keptFile else { return }
        output.line("\(Numbers.counted(healing.lost.count, "write")) set aside, in the damaged file \(kept)")
        throw ExitCode.found
    }

    private func repair(settingAsideIn aside: String) throws -> RepairReport {
        System.expectDamage(endingWith: .couldNotRun)
        do {
            return try Engine.repair(fileAt: database.path) { (records) throws(EngineError) in
                try keep(records, aside)
            }
        } catch {
            throw CommandFailure(error, database: database.path)
        }
    }

    private func keep(_ records: [SetAsideRecord], _ path: String) throws(EngineError) {
        var writer = JSONWriter()
        for record in records { record.writeLine(to: &writer) }
        do {
            try OutputFile.appendDurably(path, writer.bytes)
        } catch {
            throw .unusable(error.message)
        }
    }
}
