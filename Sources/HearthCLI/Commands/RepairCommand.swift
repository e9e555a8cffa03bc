// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import JSONText

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Rebuild every index from the documents, and set aside what cannot be read.",
        discussion: """
            Everything happens in one commit, so an interrupted repair changes nothing. Documents that cannot be read \
            are removed from the database and appended, as stored, to a file beside it; the command then ends with 1. \
            If the file's structure is damaged, nothing is changed: restore a backup.

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
        let aside = aside ?? database.path + ".unreadable.ndjson"
        let report = try database.open(.writing) { engine in
            // A repair that runs again, with a larger map, passes the same records again.
            var isKept = false
            return try engine.repair { (records) throws(EngineError) in
                guard !isKept else { return }
                try keep(records, aside)
                isKept = true
            }
        }
        let output = Output()
        for problem in report.repaired { output.line(problem) }
        for record in report.setAside { output.line(record.reason) }
        output.line(
            "\(Numbers.counted(report.documents, "document")): "
                + "\(Numbers.counted(report.entries, "index entry", "index entries")) built anew")
        guard !report.setAside.isEmpty else { return }
        output.line("\(Numbers.counted(report.setAside.count, "record")) set aside in \(aside)")
        throw ExitCode.found
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
