// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import LMDB
    internal import Synchronization

    // Clients name many databases, such as one project for each file of tests, and seldom come back to them. One that is closed costs
    // no descriptors, no map and no caches.
    extension DatabaseRegistry {
        /// How often it is looked for databases that nobody uses, and how many looks in a row close one. Together longer than a
        /// transaction may be idle.
        private static let look = Duration.seconds(60)
        static let looks = 5
        /// In how many looks databases are searched once for collections without documents. Each search visits all collections.
        private static let looksPerSearch = 15

        /// Closes what nobody uses, forgets collections without documents, and gives back the memory that was freed, until the task is
        /// cancelled.
        func closeWhatIsIdle() -> Task<Void, Never> {
            Task.detached { [weak self] in
                var memory = FreedMemory()
                var looks = 0
                while (try? await Task.sleep(for: DatabaseRegistry.look)) != nil {
                    guard let self else { return }
                    closeLongIdle()
                    looks += 1
                    if looks.isMultiple(of: DatabaseRegistry.looksPerSearch) { await forgetEmptyCollections() }
                    memory.giveBack()
                }
            }
        }

        /// Forgets the collections without documents and the indexes without entries of the open databases, until the task is cancelled.
        /// What fails is tried again the next time.
        func forgetEmptyCollections() async {
            let hasEnded = Atomic(false)
            await withTaskCancellationHandler {
                for id in state.withLock({ $0.names }) where !Task.isCancelled {
                    // That is no use of it.
                    guard let database = state.withLock({ $0.openDatabase(id) }) else { continue }
                    _ = try? await onThread {
                        try database.engine.forgetWhatIsEmpty { () throws(EngineError) in
                            if hasEnded.load(ordering: .relaxed) { throw .refused(.cancelled, "The server ends.") }
                        }
                    }
                }
            } onCancel: {
                hasEnded.store(true, ordering: .relaxed)
            }
        }

        /// Closes what nobody has used for minutes. Those who tidy up temporary folders would remove the file of what was written: it stays
        /// open there until others need its room.
        func closeLongIdle() { closeIdle(after: DatabaseRegistry.looks, keepsWritten: folder.isTemporary) }

        /// Closes the databases that nobody has used in some looks, this one included, but not the one that was asked for last. A file
        /// that this server has made and nobody has written to is removed: a mistyped name leaves none.
        ///
        /// - Parameter keepsWritten: whether only those are closed to which nobody has written.
        func closeIdle(after looks: Int, keepsWritten: Bool = false) {
            // Who needs room waits for it.
            closing.withLock { _ in
                var taken = state.withLock { $0.takeIdle(after: looks, keepsWritten: keepsWritten) }
                for entry in taken {
                    entry.database.notes.left = LeftFile(entry.database.engine, isWritten: entry.isWritten)
                }
                let closed = taken.map { (id: $0.database.id, unwritten: $0.removable) }
                // The last references.
                taken = []
                var emptied: Set<Text> = []
                for (id, unwritten) in closed {
                    if let unwritten, remove(id, ifLastCommitIs: unwritten) { emptied.insert(id.project) }
                    if state.withLock({ $0.finishClosing(id) }) { openLater(id) }
                }
                removeEmptyFolders(of: emptied)
            }
        }

        /// Closes all databases when no client is left.
        func closeAll() {
            for database in all { database.forgetTransactions() }
            state.withLock { $0.forgetLatest() }
            closeIdle(after: 1)
            folder.removeEmptyFolders()
        }

        /// Returns whether it was removed. What cannot be removed stays: it is an empty database.
        private func remove(_ id: DatabaseID, ifLastCommitIs commit: Environment.LastCommit) -> Bool {
            guard let file = try? folder.file(of: id),
                (try? Environment.remove(file, ifLastCommitIs: commit)) == true
            else { return false }
            state.withLock { $0.noteRemoval(of: id) }
            return true
        }

        /// Whoever is going to open a database of a project waits for it first, and makes the folder again after that.
        private func removeEmptyFolders(of projects: Set<Text>) {
            guard !projects.isEmpty else { return }
            state.withLock { state in
                for project in projects.subtracting(state.projects) { folder.removeEmptyFolder(of: project) }
            }
        }
    }
#endif
