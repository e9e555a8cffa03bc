// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    // Without the rest of Foundation the program is half as large.
    #if canImport(FoundationEssentials)
        internal import FoundationEssentials
    #else
        internal import Foundation
    #endif
    internal import FirestoreProtocol
    internal import ManagedExport

    extension DatabaseRegistry {
        /// Loads an export. References lead where they led.
        ///
        /// - Parameters:
        ///   - project: the project that gets the documents; nil for that of the export.
        /// - Returns: the database, and the number of documents; nil if the export has none.
        func load(
            _ folder: ExportFolder, project: Text?
        ) throws -> (database: DatabaseID, count: Int)? {
            var documents = try ExportedDocuments(folder)
            guard let first = try documents.next() else { return nil }
            let id = DatabaseID(project: project ?? first.database.project, database: first.database.database)
            return (id, try databaseWaiting(id).load(first, documents))
        }
    }

    extension ServedDatabase {
        /// Loads an export, whatever database it was made of.
        func load(_ folder: ExportFolder) throws -> Int {
            var documents = try ExportedDocuments(folder)
            guard let first = try documents.next() else { return 0 }
            return try load(first, documents)
        }

        fileprivate func load(_ first: ExportedDocument, _ rest: ExportedDocuments) throws -> Int {
            var documents = rest
            var waiting: ExportedDocument? = first
            var refusal: (path: DocumentPath, error: EngineError)?
            var failure: (any Error)?
            let count = try engine.load(
                next: { () throws(EngineError) in
                    do {
                        let taken = try waiting ?? documents.next()
                        waiting = nil
                        return taken.map { ($0.path, $0.fields) }
                    } catch {
                        failure = error
                        // What the load throws leaves no document of a new collection.
                        throw .refused(.invalidArgument, (error as? ExportError)?.message ?? "\(error)")
                    }
                },
                reject: { path, error in if refusal == nil { refusal = (path, error) } })
            if let failure { throw failure }
            if let (path, error) = refusal {
                throw ExportError("a document cannot be stored, others were: \(path): \(error.message)")
            }
            return count
        }
    }
#endif
