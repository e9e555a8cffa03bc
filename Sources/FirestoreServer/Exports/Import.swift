// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentExport
    internal import DocumentModel
    internal import FirestoreProtocol

    extension DatabaseRegistry {
        /// Loads exports, each into a database of its own. References lead where they led.
        ///
        /// - Parameters:
        ///   - project: the project that gets the documents; nil for that of the export.
        /// - Returns: the databases of exports that have documents, and the number of these.
        /// - Throws: ``ExportError``, before anything is loaded, if two are of one database.
        func load(
            _ folders: [ExportFolder], project: Text?
        ) throws -> [(database: DatabaseID, count: Int)] {
            var exports: [(database: DatabaseID, documents: ExportedDocuments)] = []
            for folder in folders {
                let documents = try ExportedDocuments(folder)
                guard let source = documents.database else { continue }
                let id = DatabaseID(project: project ?? source.project, database: source.database)
                guard !exports.contains(where: { $0.database == id }) else {
                    throw ExportError(
                        "several exports would be loaded into \(id.resourceName); name the folder of one of them"
                            + (project == nil ? "" : ", or leave --project away"))
                }
                exports.append((id, documents))
            }
            return try exports.map { id, documents in (id, try databaseWaiting(id).engine.load(documents)) }
        }
    }
#endif
