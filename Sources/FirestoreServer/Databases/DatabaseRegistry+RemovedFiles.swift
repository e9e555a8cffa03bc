// SPDX-License-Identifier: Apache-2.0

#if Server
    internal import DocumentEngine
    internal import DocumentModel
    internal import FirestoreProtocol
    internal import LMDB

    extension DatabaseRegistry {
        /// Writes the files again that other programs have removed while the server had the databases open: with the server, the documents
        /// would be gone, too. What has come in the place of a file is not overwritten.
        ///
        /// - Returns: whose files these are, by name, with the reason why one could not be written.
        func writeRemovedFiles() -> [(id: DatabaseID, failure: String?)] {
            guard !folder.isTemporary else { return [] }
            var removed: [(id: DatabaseID, failure: String?)] = []
            for database in all where database.hasOnlyCopy {
                do throws(RequestError) {
                    if try writeAgain(database) { removed.append((database.id, nil)) }
                } catch {
                    removed.append((database.id, error.message))
                }
            }
            return removed
        }

        /// Returns whether nothing was in its place.
        private func writeAgain(_ database: ServedDatabase) throws(RequestError) -> Bool {
            let file = try folder.file(of: database.id)
            guard !DataFolder.exists(file) else { return false }
            do throws(EngineError) { try database.engine.copy(to: file, compacting: false) } catch {
                throw RequestError(error)
            }
            return true
        }
    }

    extension ServedDatabase {
        /// Whether it has documents, or cannot be read, and its file has no name any more.
        fileprivate var hasOnlyCopy: Bool {
            guard engine.environment.isDisplaced else { return false }
            return (try? engine.collectionIDs(under: nil).isEmpty) != true
        }
    }
#endif
