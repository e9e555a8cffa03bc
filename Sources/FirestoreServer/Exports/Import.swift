// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreProtocol

    extension DatabaseRegistry {
        /// Loads an export. References lead where they led.
        ///
        /// - Parameters:
        ///   - project: the project that gets the documents; nil for that of the export.
        /// - Returns: the database, and the number of documents; nil if the export has none.
        func load(
            _ folder: ExportFolder, project: Text?
        ) throws -> (database: DatabaseID, count: Int)? {
            let documents = try ExportedDocuments(folder)
            guard let source = documents.database else { return nil }
            let id = DatabaseID(project: project ?? source.project, database: source.database)
            return (id, try databaseWaiting(id).engine.load(documents))
        }
    }
#endif
