// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import CloudFirestore
    import Dispatch
    import DocumentModel
    import Foundation
    import Hearth
    import HearthConnected
    import Synchronization
    import TestSupport

    /// A program's database with offline data, connected to a real server, with a collection that no other test uses.
    final class LiveClient: Sendable {
        let database: Database
        let collection: CollectionReference
        let path: String
        /// Where callbacks arrive.
        let queue = DispatchQueue(label: "test.callbacks")
        let remote: Remote
        /// What others write on the server.
        let others: FirestoreClient
        private let directory: TemporaryDirectory

        init(_ server: LiveServer, cache: any LocalCacheSettings = PersistentCacheSettings()) async throws {
            directory = try TemporaryDirectory()
            path = directory.path("replica.db")
            let host = try server.host()
            remote = .firestore(project: "p", credentials: .emulator(host: host))
            others = try FirestoreClient(project: "p", credentials: .emulator(host: host))
            database = try await Database.open(
                path: path, settings: LiveClient.settings(queue, cache), remote: remote)
            collection = database.collection("c" + UUID().uuidString)
        }

        private static func settings(_ queue: DispatchQueue, _ cache: any LocalCacheSettings) -> FirestoreSettings {
            let settings = FirestoreSettings()
            settings.durability = .mayLoseDatabase
            settings.dispatchQueue = queue
            settings.cacheSettings = cache
            settings.logHandler = { _, _ in }
            return settings
        }

        /// The same offline data, after ``database`` was terminated.
        func reopened() async throws -> Database {
            let settings = LiveClient.settings(queue, PersistentCacheSettings())
            return try await Database.open(path: path, settings: settings, remote: remote)
        }

        /// Another client writes.
        func serve(_ values: [String: Value]) async throws {
            guard !values.isEmpty else { return }
            _ = try await others.commit(
                values.sorted { $0.key < $1.key }.map { id, value in
                    Write.set(DocumentPath(collection.path, id), Fields([Field("n", value)])!)
                })
        }

        func listen(
            to query: Query, includeMetadataChanges: Bool = false, source: ListenSource = .default
        ) -> Heard<QuerySnapshot> {
            let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges).withSource(source)
            let heard = Heard<QuerySnapshot>()
            heard.registration.withLock {
                $0 = query.addSnapshotListener(options: options) { heard.add($0, $1) }
            }
            return heard
        }

        func listen(
            to document: DocumentReference, includeMetadataChanges: Bool = false, source: ListenSource = .default
        ) -> Heard<DocumentSnapshot> {
            let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges).withSource(source)
            let heard = Heard<DocumentSnapshot>()
            heard.registration.withLock {
                $0 = document.addSnapshotListener(options: options) { heard.add($0, $1) }
            }
            return heard
        }

        /// Returns when the server's news so far have been told, and what they led to.
        func settle() async throws {
            try await database.waitForPendingWrites()
            _ = try? await collection.document("settle").getDocument(source: .server)
            queue.sync {}
        }
    }
#endif
