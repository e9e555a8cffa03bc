// SPDX-License-Identifier: Apache-2.0

package import DocumentEngine
package import DocumentModel
internal import ManagedExport

// Without the rest of Foundation the program is half as large.
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Engine {
    /// Writes all documents, as they are at one time, into a folder that is created.
    ///
    /// - Parameters:
    ///   - database: the one that the export is of. References to documents of this database lead to it.
    ///   - path: the folder, whose name is the export's.
    ///   - progress: told the number of documents from time to time.
    /// - Returns: the number of documents.
    package func export(
        as database: DatabaseID, to path: String, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let folder = URL(filePath: path)
        let name = folder.lastPathComponent
        let part = folder.appending(path: ExportManifest.partFolder)
        try FileManager.default.createDirectory(
            at: part, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let start = Date()
        let (documents, bytes) = try writeEntities(
            as: database, to: part.appending(path: Engine.output).path, progress)
        let overall = ExportManifest.overall(documents: documents, bytes: bytes)
        if documents > 0 {
            let file = ExportManifest.part(
                name: name, start: start.microseconds, end: Date().microseconds, outputs: [Engine.output])
            try OpenFile.replace(part.appending(path: ExportManifest.partName), file)
        }
        // The last file, so that an export that was interrupted is none.
        try OpenFile.replace(folder.appending(path: name + ExportManifest.overallSuffix), overall)
        return documents
    }

    private static let output = "output-0"

    private func writeEntities(
        as id: DatabaseID, to path: String, _ progress: (Int) -> Void
    ) throws -> (documents: Int, bytes: Int) {
        let file = try NewFile(path)
        let entities = EntityWriter(id)
        var log = LogWriter()
        var (documents, bytes) = (0, 0)
        var failure: (any Error)?
        func write() throws {
            bytes += log.count
            try file.append(log.take())
        }
        try forEachDocument { (document) throws(EngineError) in
            guard failure == nil else { return }
            log.append(entities.record(document.path, document.fields.movingReferences(from: database, to: id)))
            documents += 1
            guard log.count >= 1 << 20 else { return }
            progress(documents)
            do { try write() } catch { failure = error }
        }
        if let failure { throw failure }
        try write()
        return (documents, bytes)
    }
}

extension Date {
    fileprivate var microseconds: UInt64 { UInt64(max(0, timeIntervalSince1970 * 1e6)) }
}
