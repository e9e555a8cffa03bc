// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import DocumentEngine
internal import DocumentModel
internal import JSONText

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Load documents from lines of JSON; creates the database if it is missing.",
        discussion: """
            A line is a document in the lossless form, {"name":"cities/SF","fields":{"population":{"integerValue":"1"}}}, \
            or with --collection any JSON object. A line that cannot be stored is reported with its place and reason, and \
            the rest is loaded. A document replaces one of the same name.

            Documents are sorted in a temporary file beside the database. Those of new collections become visible all at \
            once, at the end; an interrupted import leaves none of them.

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
    }

    func run() throws {
        let plain = try collection.map { try PlainDocumentReader(CollectionPath(argument: $0), idField: idField) }
        var lines = LineReader(try InputFile(file))
        try lines.begin()
        try database.open(.creating(identity)) { engine in
            var source = ImportSource(lines, plain, engine.database)
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

    private var identity: DatabaseID? {
        guard project != nil || databaseID != nil else { return nil }
        return DatabaseID(project: Text(project ?? "hearth"), database: Text(databaseID ?? "(default)"))
    }
}

/// The documents of a file. Lines without one are reported and skipped.
private struct ImportSource {
    private var lines: LineReader
    private var documents: DocumentLineReader
    private let plain: PlainDocumentReader?
    private let database: DatabaseID
    private let length: Int?
    private(set) var accepted = 0
    private(set) var rejected = 0
    /// Why reading stopped before the end.
    private(set) var failure: CommandFailure?

    init(_ lines: LineReader, _ plain: PlainDocumentReader?, _ database: DatabaseID) {
        self.lines = lines
        documents = DocumentLineReader(database: database)
        self.plain = plain
        self.database = database
        length = lines.file.length
    }

    /// The fraction of the file that was read; nil for a pipe.
    var fraction: Double? {
        guard let length, length > 0 else { return nil }
        return Double(lines.bytesRead) / Double(length)
    }

    mutating func next() -> (path: DocumentPath, fields: Fields)? {
        while let line = nextLine() {
            switch line {
            case .tooLong: reject("the line is longer than \(LineReader.maximumLength >> 20) MiB")
            case .bytes(let range):
                guard !isBlank(range) else { continue }
                if let document = read(range) { return document }
            }
        }
        return nil
    }

    private mutating func nextLine() -> LineReader.Line? {
        do {
            return try lines.next()
        } catch {
            failure = error
            return nil
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        lines.buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    private mutating func read(_ range: Range<Int>) -> (path: DocumentPath, fields: Fields)? {
        let buffer = lines.buffer
        if plain == nil, let document = documents.read(buffer.span.extracting(range)) {
            accepted += 1
            return document
        }
        do {
            let node = try JSONParser.parse(buffer.span.extracting(range))
            let document = try plain?.read(node) ?? DocumentJSON.read(node, database: database)
            accepted += 1
            return document
        } catch let error as JSONSyntaxError {
            reject(error.message, at: error.offset, of: range)
        } catch let error as DocumentFormError {
            reject(error.message, at: error.offset, of: range)
        } catch {
            reject("\(error)")
        }
        return nil
    }

    private mutating func reject(_ reason: String, at offset: Int?, of range: Range<Int>) {
        let column = offset.map { LineMap(Array(lines.buffer[range])).position(of: $0).column }
        reject(reason, column: column)
    }

    /// Reports the last line read.
    mutating func reject(_ reason: String, column: Int? = nil) {
        rejected += 1
        let place = column.map { ", column \($0)" } ?? ""
        Diagnostics.write("\(lines.file.name): line \(lines.number)\(place): \(reason)")
    }
}
