// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load documents from lines of JSON; creates the database if it is missing.",
        discussion: """
            A line is a document in the lossless form, {"name":"cities/SF","fields":{"population":{"integerValue":"1"}}}, \
            or with --collection any JSON object. A line that cannot be stored is reported with its place and reason, and \
            the rest is loaded. A document replaces one of the same name.

            Documents are sorted in a temporary file beside the database. Those of new collections become visible all at \
            once, at the end; an interrupted import leaves none of them. If the file cannot be read to its end, what was read \
            is imported, the last line of it is named, and the command ends with 2.

            Examples:
              hearth import my.db cities.ndjson
              hearth import my.db users.ndjson --collection users --id-field email
              zcat backup.ndjson.gz | hearth import my.db -
            """)

    @OptionGroup var database: DatabaseArgument
    @Argument(help: "A file with one JSON object a line; - for standard input.", completion: .file())
    var file: String
    @Option(help: ArgumentHelp("Read plain JSON objects as documents of this collection.", valueName: "path"))
    var collection: String?
    @Option(
        help: ArgumentHelp(
            "The field of a plain object that is the document's ID; otherwise IDs are generated.", valueName: "name"))
    var idField: String?
    @Option(help: ArgumentHelp("The project ID of a new database (default: hearth).", valueName: "id"))
    var project: String?
    @Option(help: ArgumentHelp("The database ID of a new database (default: (default)).", valueName: "id"))
    var databaseID: String?

    func validate() throws {
        if idField != nil, collection == nil {
            throw ValidationError("--id-field needs --collection: documents in the lossless form have names.")
        }
        if let collection { _ = try CollectionPath(argument: collection, writing: true) }
        _ = try identity()
    }

    func run() throws {
        let plain = try collection.map { try PlainDocumentReader(CollectionPath(argument: $0), idField: idField) }
        let input = try InputFile(file)
        var lines = input.lines()
        try lines.begin()
        try database.open(.creating(identity())) { engine in
            var source = ImportSource(NDJSONReader(lines, database: engine.database, plain: plain), input)
            let progress = ProgressBar("Reading")
            let writing = ProgressBar("Writing")
            let count = try engine.load(
                next: { () throws(EngineError) in
                    let document = source.next()
                    progress.show(documents: source.accepted, fraction: source.fraction)
                    return document
                },
                reject: { source.reject($1.message) },
                progress: { fraction in
                    progress.finish()
                    writing.show(documents: source.accepted, fraction: fraction)
                })
            progress.finish()
            writing.finish()
            let output = Output()
            output.line("\(count) documents imported, \(source.rejected) rejected")
            if let failure = source.failure { throw failure }
            if source.rejected > 0 { throw ExitCode.found }
        }
    }

    private func identity() throws -> DatabaseID? {
        guard project != nil || databaseID != nil else { return nil }
        return try DatabaseID(named: project ?? "hearth", databaseID ?? "(default)")
    }
}

/// The documents of a file. Lines without one are reported and skipped.
private struct ImportSource {
    private var documents: NDJSONReader
    private let name: String
    private let length: Int?
    private(set) var accepted = 0
    private(set) var rejected = 0
    /// Why reading ended before the end, and where.
    private(set) var failure: CommandFailure?

    init(_ documents: NDJSONReader, _ file: InputFile) {
        self.documents = documents
        name = file.name
        length = file.length
    }

    /// The fraction of the file that was read; nil for a pipe.
    var fraction: Double? {
        guard let length, length > 0 else { return nil }
        return Double(documents.bytesRead) / Double(length)
    }

    mutating func next() -> (path: DocumentPath, fields: Fields)? {
        do {
            while let entry = try documents.next() {
                switch entry {
                case .document(let path, let fields):
                    accepted += 1
                    return (path, fields)
                case .refused(let refusal): report(refusal)
                }
            }
        } catch {
            failure = ended(by: error)
        }
        return nil
    }

    /// What was read before is stored; who imports the whole again may get other IDs.
    private func ended(by error: any Error) -> CommandFailure {
        let reason = (error as? CommandFailure)?.message ?? "\(error)"
        let line = documents.lineNumber
        return CommandFailure(
            "\(reason), behind line \(line); what was read is imported, and the rest begins at line \(line + 1)")
    }

    /// Rejects the line read last.
    mutating func reject(_ reason: String) { report(documents.refusal(reason)) }

    private mutating func report(_ refusal: NDJSONReader.Refusal) {
        rejected += 1
        let column = refusal.column.map { ", column \($0)" } ?? ""
        Diagnostics.write("\(name): line \(refusal.line)\(column): \(refusal.reason)")
    }
}
