// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation
internal import JSONText

/// What became of a file that was imported.
public struct ImportSummary: Sendable {
    /// A line that could not be stored.
    public struct Rejection: Sendable {
        /// Counted from 1.
        public let line: Int
        /// What is wrong with it, in words.
        public let reason: String
    }

    /// How many documents were written.
    public internal(set) var imported = 0
    /// How many lines were not.
    public internal(set) var rejected = 0
    /// The first hundred lines that were not.
    public internal(set) var rejections: [Rejection] = []

    mutating func reject(_ line: Int, _ reason: String) {
        rejected += 1
        if rejections.count < 100 { rejections.append(Rejection(line: line, reason: reason)) }
    }
}

extension Database {
    /// Loads documents from lines of JSON, each in the form `{"name":"cities/SF","fields":{"population":{"integerValue":"1"}}}`
    /// with values as in Firestore's REST API. A document replaces one of the same name; a line that cannot be stored is
    /// reported, and the rest is loaded.
    ///
    /// This is the fast way in: documents of new collections are sorted on disk, beside the database, and appear all at once when
    /// all are durable; if the program is killed before, none of them is there. Documents of collections that exist already are
    /// written by the ten thousand, each time whole or not at all, as are those whose collection group has an index over all its
    /// collections. Memory does not grow with the file. Imports and changes of indexes happen one at a time, over all processes.
    ///
    /// - Throws: ``FirestoreError`` where the file cannot be read or the database cannot be written. What was written into
    ///   collections that existed stays.
    public nonisolated(nonsending) func importDocuments(from file: URL) async throws -> ImportSummary {
        try await Job(self, .maintenance) { try ImportFile.load(file, into: $0) }.value()
    }
}

extension Synchronous where Base == Database {
    /// The blocking form of ``Database/importDocuments(from:)``.
    public func importDocuments(from file: URL) throws -> ImportSummary {
        try Job(base, .maintenance) { try ImportFile.load(file, into: $0) }.wait()
    }
}

extension CollectionReference {
    /// Loads ordinary JSON objects, one a line, as documents of this collection: `{"city":"Tokyo","population":37400000}`.
    /// Numbers without fraction and exponent that fit 64 bits become integers, other numbers doubles.
    ///
    /// ```swift
    /// let summary = try await database.collection("cities").importDocuments(from: file, idField: "city")
    /// ```
    ///
    /// Everything else is as in ``Database/importDocuments(from:)``.
    ///
    /// - Parameters:
    ///   - file: lines of JSON.
    ///   - idField: the field whose text or whole number is the document's ID, and which stays a field; without one, each
    ///     document gets a generated ID of 20 letters and digits (D-4).
    /// - Throws: ``FirestoreError``.
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

extension Synchronous where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/importDocuments(from:idField:)``.
    public func importDocuments(from file: URL, idField: String? = nil) throws -> ImportSummary {
        try base.importJob(file, idField).wait()
    }
}

/// A file of documents, read in pieces.
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

    /// - Parameter plain: what reads objects that are no documents in the lossless form.
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

    /// The bytes of the next line that is not blank.
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
            throw .refused(.internal, "the file cannot be read on: \(error.localizedDescription)")
        }
        if let piece, !piece.isEmpty { buffer.append(contentsOf: piece) } else { isAtEnd = true }
    }
}
