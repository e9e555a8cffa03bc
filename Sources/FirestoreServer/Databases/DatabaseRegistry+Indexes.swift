// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import IndexCatalog
    internal import LMDB
    internal import Synchronization

    // The indexes that files say the databases have.
    extension DatabaseRegistry {
        /// Gives every open database the indexes that the files now define, and the others when they are opened again.
        func applyIndexes() {
            for (_, known) in notes { known.configuration = nil }
            // Building indexes takes long, and whoever holds a database keeps it open. One that is closed meanwhile is among the others.
            for id in state.withLock({ $0.names }) {
                if let database = state.withLock({ $0.openDatabase(id) }) { applyIndexes(to: database) }
            }
        }

        /// Gives a database the indexes of its file, or leaves them if there is no file. One that is opened again keeps those that a
        /// request has set since its file was applied. Without room for a new index everything else goes on.
        ///
        /// - Returns: what the file says.
        @discardableResult
        func applyIndexes(to database: ServedDatabase) -> IndexConfiguration? {
            let notes = database.notes
            return notes.applying.withLock { (_) -> IndexConfiguration? in
                // The file may change while indexes are built.
                while true {
                    let said = indexes.configuration(of: database.id)
                    guard let configuration = said, configuration != notes.configuration else { return said }
                    do throws(EngineError) { try apply(configuration, to: database) } catch {
                        logUnchanged(database.id, error)
                        return said
                    }
                    notes.configuration = configuration
                }
            }
        }

        /// Commits a configuration. A database to which nobody has written is still one after that.
        private func apply(_ configuration: IndexConfiguration, to database: ServedDatabase) throws(EngineError) {
            // In this order: what is written after the look is among the changes since the start.
            let start = try? ResumeToken(presentOf: database.engine)
            let wasUnwritten = state.withLock { $0.isUnwritten(database.id) }
            defer {
                if wasUnwritten, let start, let last = database.lastCommit(ifUnchangedSince: start) {
                    state.withLock { $0.noteUnwritten(database.id, at: last) }
                }
            }
            try database.engine.apply(configuration, prune: true)
        }

        private func logUnchanged(_ id: DatabaseID, _ error: EngineError) {
            options.log(
                "The indexes of \(id.resourceName) were not changed: \(error.message) That is tried again when the index file changes, "
                    + "and by the next server.")
        }
    }

    extension ServedDatabase {
        /// The commit up to which no document was written since a state; nil if one was, be it deleted again.
        func lastCommit(ifUnchangedSince start: ResumeToken) -> Environment.LastCommit? {
            guard let number = try? engine.lastCommit(ifUnchangedSince: start.time, start.incarnation) else {
                return nil
            }
            return engine.environment.commit(numbered: number)
        }
    }
#endif
