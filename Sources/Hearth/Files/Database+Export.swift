// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
public import Foundation
internal import JSONText
internal import QueryPlanner

extension Database {
    /// Writes every document to a new file, one line of JSON each, in the order of their names and in the form that
    /// ``importDocuments(from:)`` reads.
    ///
    /// The file is one consistent state; others read and write meanwhile. Importing it into an empty database gives the
    /// same documents. It does not contain times and indexes.
    ///
    /// - Parameters:
    ///   - file: the new file, readable by its owner only. An existing file is never overwritten.
    ///   - progress: called about a hundred times with the fraction of documents that are written, from 0 to 1, on the
    ///     thread that writes. It must not use the database.
    /// - Returns: the number of documents written.
    /// - Throws: ``FirestoreError``: `alreadyExists` if the file exists, `resourceExhausted` if the disk is full,
    ///   `dataLoss` if a document is damaged. An incomplete file is removed.
    @discardableResult
    public nonisolated(nonsending) func exportDocuments(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws -> Int {
        try await exportJob(.success(.descendants(of: nil)), file, progress).value()
    }

    fileprivate func exportJob(
        _ scope: Result<DocumentScope, FirestoreError>, _ file: URL, _ progress: (@Sendable (Double) -> Void)?
    ) -> Job<Int> {
        Job(self, .read) { engine in
            let new = try OwnFile(creating: file)
            do {
                let scope = try scope.get()
                // The number of documents in a collection is not known in advance.
                let isWhole = scope == .descendants(of: nil)
                let count = try ExportFile(file: new).write(engine, scope, isWhole ? progress : nil)
                try new.close()
                progress?(1)
                return count
            } catch {
                new.remove()
                throw error
            }
        }
    }
}

extension BlockingAPI where Base == Database {
    /// The blocking form of ``Database/exportDocuments(to:progress:)``.
    @discardableResult
    public func exportDocuments(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) throws -> Int {
        try base.exportJob(.success(.descendants(of: nil)), file, progress).wait()
    }
}

extension CollectionReference {
    /// Writes the documents of this collection, without those in subcollections, to a new file; see
    /// ``Database/exportDocuments(to:progress:)``. `progress` is called only at the end, with 1.
    @discardableResult
    public nonisolated(nonsending) func exportDocuments(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) async throws -> Int {
        try await exportJob(file, progress).value()
    }

    fileprivate func exportJob(_ file: URL, _ progress: (@Sendable (Double) -> Void)?) -> Job<Int> {
        firestore.exportJob(target.map { .collection($0) }, file, progress)
    }
}

extension BlockingAPI where Base == CollectionReference {
    /// The blocking form of ``CollectionReference/exportDocuments(to:progress:)``.
    @discardableResult
    public func exportDocuments(
        to file: URL, progress: (@Sendable (_ fraction: Double) -> Void)? = nil
    ) throws -> Int {
        try base.exportJob(file, progress).wait()
    }
}

/// A new file of documents, written in chunks.
private struct ExportFile {
    let file: OwnFile

    private static let pieceSize = 1 << 20

    func write(
        _ engine: Engine, _ scope: DocumentScope, _ progress: (@Sendable (Double) -> Void)?
    ) throws -> Int {
        var writer = JSONWriter()
        var count = 0
        do throws(EngineError) {
            try engine.forEachDocument(in: scope, progress: progress) { (document) throws(EngineError) in
                DocumentJSON.write(document.path, document.fields, to: &writer, database: engine.database)
                writer.newline()
                count += 1
                if writer.bytes.count >= ExportFile.pieceSize { try flush(&writer) }
            }
            try flush(&writer)
        } catch {
            throw FirestoreError(error)
        }
        return count
    }

    private func flush(_ writer: inout JSONWriter) throws(EngineError) {
        do throws(FirestoreError) {
            try file.write(writer.bytes)
        } catch {
            throw EngineError(error)
        }
        writer.removeAll()
    }
}
