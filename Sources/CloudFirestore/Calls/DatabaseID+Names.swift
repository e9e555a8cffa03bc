// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import DocumentModel
    internal import SyncCore

    extension DatabaseID {
        /// - Throws: an error for IDs that no database has.
        convenience init(project: String, database: String) throws(SyncError) {
            for (kind, id) in [("project", project), ("database", database)]
            where id.isEmpty || id.contains(where: { "/ \n".contains($0) }) {
                throw SyncError(.invalidArgument, "\"\(id)\" is no ID of a \(kind). Write the ID alone.")
            }
            self.init(project: Text(project), database: Text(database))
        }
    }
#endif
