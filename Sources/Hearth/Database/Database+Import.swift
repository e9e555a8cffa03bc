// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation
internal import JSONText

/// The result of an import.
public struct ImportSummary: Sendable {
    /// A line that could not be stored.
    public struct Rejection: Sendable {
        /// The line's number, counted from 1.
        public let line: Int
        /// Why the line was rejected, in words.
        public let reason: String
    }

    /// The number of documents written.
    public internal(set) var imported = 0
    /// The number of lines rejected.
    public internal(set) var rejected = 0
    /// The first hundred rejected lines.
    public internal(set) var rejections: [Rejection] = []

    mutating func reject(_ line: Int, _ reason: String) {
        rejected += 1
        if rejections.count < 100 { rejections.append(Rejection(line: line, reason: reason)) }
    }
}

extension Database {
    /// Imports documents from a file of JSON lines.
    ///
    /// Each line has the form `{"name":"cities/SF","fields":{"population":{"integerValue":"1"}}}`, with values as in
    /// Firestore's REST API. A document replaces an existing one of the same name. A line that cannot be stored is
    /// reported in the result, and the rest is imported.
    ///
    /// This is the fastest way to load documents. Those of new collections are sorted on disk, beside the database, and
    /// become visible all at once when all are durable. If the program is killed before that, none of them exists.
    /// Documents of existing collections are written in atomic commits of up to ten thousand, as are those whose
    /// collection group has an index over all its collections. Memory use does not grow with the file. Imports and
    /// index changes run one at a time, across all processes.
    ///
    /// - Throws: ``FirestoreError`` if the file cannot be read or the database cannot be written. Documents already
    ///   written to existing collections stay.
    public nonisolated(nonsending) func importDocuments(from file: URL) async throws -> ImportSummary {
        try await Job(self, .maintenance) { try ImportFile.load(file, into: $0) }.value()
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/importDocuments(from:)``.
    public func importDocuments(from file: URL) throws -> ImportSummary {
        try Job(base, .maintenance) { try ImportFile.load(file, into: $0) }.wait()
    }
}

extension CollectionReference {
    /// Imports plain JSON objects, one per line, as documents of this collection:
    /// `{"city":"Tokyo","population":37400000}`.
    ///
    /// Numbers without fraction and exponent that fit into 64 bits become integers, other numbers doubles.
    ///
    /// ```swift
    /// let summary = try await database.collection("cities").importDocuments(from: file, idField: "city")
    /// ```
    ///
    /// Otherwise it works like ``Database/importDocuments(from:)``.
    ///
    /// - Parameters:
    ///   - file: a file with one JSON object per line.
    ///   - idField: the field whose string or whole number becomes the document's ID. It stays a field. Without it,
    ///     each document gets a generated ID of 20 letters and digits.
    /// - Throws: ``FirestoreError``, as ``Database/importDocuments(from:)``.
    public nonisolated(nonsending) func importDocuments(
        from file: URL, idField: String? = nil
    ) async throws -> ImportSummary {
        try await importJob(file, idField).value()
    }

    fileprivate func importJob(_ file: URL, _ idField: String?) -> Job<ImportSummary> {
        let target = target
        return Job(firestore, .maintenance) { engine in
            try ImportFile.load(file, into: engine, PlainDocumentReader(try target.get(), idField: idField))
        }
    }
}

extension BlockingAPI where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/importDocuments(from:idField:)``.
    public func importDocuments(from file: URL, idField: String? = nil) throws -> ImportSummary {
        try base.importJob(file, idField).wait()
    }
}

/// A file of documents, read in chunks.
private struct ImportFile {
    private let handle: FileHandle
    private let database: DatabaseID
    private let plain: PlainDocumentReader?
    private var lines: DocumentLineReader
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 0
    private var isAtEnd = false
    private(set) var summary = ImportSummary()

    private static let pieceSize = 1 << 20

    /// - Parameter plain: reads objects that are not documents in the lossless form.
    static func load(
        _ file: URL, into engine: Engine, _ plain: PlainDocumentReader? = nil
    ) throws -> ImportSummary {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: file)
        } catch {
            throw FirestoreError(.notFound, "\(file.path) cannot be read: \(error.localizedDescription)")
        }
        defer { try? handle.close() }
        var source = ImportFile(
            handle: handle, database: engine.database, plain: plain,
            lines: DocumentLineReader(database: engine.database))
        do throws(EngineError) {
            let count = try engine.load(
                next: { () throws(EngineError) in try source.next() },
                reject: { source.summary.reject(source.line, $1.message) })
            source.summary.imported = count
        } catch {
            throw FirestoreError(error)
        }
        return source.summary
    }

    private mutating func next() throws(EngineError) -> (path: DocumentPath, fields: Fields)? {
        while let range = try nextLine() {
            let buffer = buffer
            if plain == nil, let document = lines.read(buffer.span.extracting(range)) { return document }
            do {
                let node = try JSONParser.parse(buffer.span.extracting(range))
                return try plain?.read(node) ?? DocumentJSON.read(node, database: database)
            } catch let error as JSONSyntaxError {
                summary.reject(line, error.message)
            } catch let error as DocumentFormError {
                summary.reject(line, error.message)
            } catch {
                summary.reject(line, "\(error)")
            }
        }
        return nil
    }

    /// The byte range of the next line that is not blank.
    private mutating func nextLine() throws(EngineError) -> Range<Int>? {
        while true {
            if let end = firstIndex(of: UInt8(ascii: "\n"), in: buffer, from: start) {
                defer { start = end + 1 }
                line += 1
                if !isBlank(start..<end) { return start..<end }
            } else if isAtEnd {
                defer { start = buffer.count }
                line += 1
                return isBlank(start..<buffer.count) ? nil : start..<buffer.count
            } else {
                try readMore()
            }
        }
    }

    private func isBlank(_ range: Range<Int>) -> Bool {
        buffer[range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }
    }

    private mutating func readMore() throws(EngineError) {
        buffer.removeSubrange(..<start)
        start = 0
        let piece: Data?
        do {
            piece = try handle.read(upToCount: ImportFile.pieceSize)
        } catch {
            throw .refused(.internal, "the rest of the file cannot be read: \(error.localizedDescription)")
        }
        if let piece, !piece.isEmpty { buffer.append(contentsOf: piece) } else { isAtEnd = true }
    }
}
