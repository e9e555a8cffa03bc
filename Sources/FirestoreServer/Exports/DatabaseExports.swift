// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentExport
    internal import DocumentModel

    extension ExportDestination {
        /// Writes each database that has documents, in the form of `firebase emulators:export`. A single one is in the folder itself,
        /// several are in `PROJECT/DATABASE`. The folder's former export is replaced at the end.
        ///
        /// - Returns: a line for each database.
        func write(_ databases: DatabaseRegistry) throws -> [String] {
            // One is held at a time: there may be more than can be open.
            let stored = try databases.names.filter { try !databases.databaseWaiting($0).isEmpty() }
            return try replace { folder in
                try stored.map { id in
                    let inner = stored.count > 1 ? "/" + ExportFolder.subfolder(of: id) : ""
                    let target = folder + inner
                    let count = try databases.databaseWaiting(id).engine.export(
                        as: id, to: "\(target)/\(ExportFolder.firestoreName)")
                    try ExportFolder.writeFirebaseFile(in: target)
                    return "\(count) document\(count == 1 ? "" : "s") of \(id.resourceName) exported to \(path + inner)"
                }
            }
        }
    }

    extension ServedDatabase {
        fileprivate func isEmpty() throws -> Bool { try engine.collectionIDs(under: nil).isEmpty }
    }
#endif
