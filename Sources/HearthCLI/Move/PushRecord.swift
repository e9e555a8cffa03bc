// SPDX-License-Identifier: Apache-2.0

#if Connected
    internal import BulkMove
    internal import DocumentEngine
    internal import DocumentModel
    internal import LMDB
    internal import ReplicaStore

    /// What a push has sent, in a file beside the database: the replica that takes the database's place at the end.
    enum PushRecord {
        static func path(of database: String) -> String { database + ".push" }

        /// Makes way for a push to a database. The record of a push to another one goes if no server has acknowledged anything of
        /// it, as after a mistyped project.
        ///
        /// - Throws: if it says what the other database has got, or if that push is still running.
        static func makeWay(at path: String, for target: DatabaseID) throws {
            guard let former = database(at: path), former != target else { return }
            var options = Engine.Options()
            options.identity = former
            let replica = try EngineReplica(path, options)
            try replica.keepOthersAway()
            guard try replica.engine.documents(after: nil, upTo: nil, limit: 1).isEmpty else {
                throw CommandFailure(
                    "\"\(path)\" says what an unfinished push has sent to \(former.resourceName). To finish that push, name its "
                        + "project and database. To give it up, remove the file: then all documents are pushed to "
                        + target.resourceName)
            }
            Environment.remove(path)
            // Until here, no other push could begin with the file.
            withExtendedLifetime(replica) {}
        }

        /// Nil if there is no record. What else is wrong with the file is told by who opens it.
        private static func database(at path: String) -> DatabaseID? {
            var options = Engine.Options()
            (options.creates, options.readOnly) = (false, true)
            guard let engine = try? Engine.open(path, options), engine.isReplica else { return nil }
            return engine.database
        }
    }
#endif
