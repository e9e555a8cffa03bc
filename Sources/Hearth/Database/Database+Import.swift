// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation

/// The result of an import.
public struct ImportSummary: Sendable {
    /// A line that could not be stored.
    public struct Rejection: Sendable {
        /// The line's number, counted from 1.
        public let line: Int
        /// Where in the line the error is, in Unicode scalars from 1. Nil where the error has no place, as for a line that is too
        /// long or a document that breaks a limit.
        public let column: Int?
        /// What is wrong with the line.
        public let reason: String
    }

    /// The number of documents written.
    public internal(set) var imported = 0
    /// The number of lines rejected.
    public internal(set) var rejected = 0
    /// The first hundred rejected lines.
    public internal(set) var rejections: [Rejection] = []

    mutating func reject(_ line: NDJSONReader.Refusal) {
        rejected += 1
        if rejections.count < 100 {
            rejections.append(Rejection(line: line.line, column: line.column, reason: line.reason))
        }
    }
}

extension Database {
    /// Imports documents from lines of JSON.
    ///
    /// Each line has the form `{"name":"cities/SF","fields":{"population":{"integerValue":"1"}}}`, with values as in
    /// Firestore's REST API. A document replaces an existing one of the same name. A line that cannot be stored, or is longer than
    /// 64 MiB, is reported in the result, and the rest is imported.
    ///
    /// - Throws: ``FirestoreError``: `notFound` if there is no such file, `permissionDenied` if it may not be read, and others where
    ///   the file is gzip, or the database cannot be written. What was written into collections that existed stays.
    public nonisolated(nonsending) func importDocuments(from file: URL) async throws -> ImportSummary {
        try await importJob(file).value()
    }

    fileprivate func importJob(_ file: URL) -> Job<ImportSummary> {
        Job(self, .maintenance) { [self] engine in
            try requireNoRemote(for: "An import")
            return try ImportFile.load(file, into: engine)
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/importDocuments(from:)``.
    public func importDocuments(from file: URL) throws -> ImportSummary {
        try base.importJob(file).wait()
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
        return Job(firestore, .maintenance) { [firestore] engine in
            try firestore.requireNoRemote(for: "An import")
            return try ImportFile.load(file, into: engine, PlainDocumentReader(try target.get(), idField: idField))
        }
    }
}

extension BlockingAPI where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/importDocuments(from:idField:)``.
    public func importDocuments(from file: URL, idField: String? = nil) throws -> ImportSummary {
        try base.importJob(file, idField).wait()
    }
}

/// A file of documents on its way into the engine.
private struct ImportFile {
    private var documents: NDJSONReader
    private var summary = ImportSummary()

    /// - Parameter plain: reads the lines; nil for lines in the lossless form.
    static func load(
        _ file: URL, into engine: Engine, _ plain: PlainDocumentReader? = nil
    ) throws -> ImportSummary {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: file)
        } catch {
            let isHidden = (error as? CocoaError)?.code == .fileReadNoPermission
            throw FirestoreError(
                isHidden ? .permissionDenied : .notFound,
                "\(file.path) cannot be read: \(error.localizedDescription)")
        }
        defer { try? handle.close() }
        do throws(EngineError) {
            var source = ImportFile(
                documents: NDJSONReader(lines(of: handle, file), database: engine.database, plain: plain))
            let count = try engine.load(
                next: { () throws(EngineError) in try source.next() },
                reject: { source.summary.reject(source.documents.refusal($1.message)) })
            source.summary.imported = count
            return source.summary
        } catch {
            throw FirestoreError(error)
        }
    }

    private static func lines(of handle: FileHandle, _ file: URL) -> LineReader {
        LineReader(
            compressed: { EngineError.refused(.invalidArgument, "\(file.path) is gzip: decompress it first") },
            read: { count, buffer in
                guard let piece = try handle.read(upToCount: count) else { return 0 }
                buffer.append(contentsOf: piece)
                return piece.count
            })
    }

    private mutating func next() throws(EngineError) -> (path: DocumentPath, fields: Fields)? {
        do {
            while let entry = try documents.next() {
                switch entry {
                case .document(let path, let fields): return (path, fields)
                case .refused(let refusal): summary.reject(refusal)
                }
            }
            return nil
        } catch let error as EngineError {
            throw error
        } catch {
            throw .refused(.internal, "the rest of the file cannot be read: \(error.localizedDescription)")
        }
    }
}
