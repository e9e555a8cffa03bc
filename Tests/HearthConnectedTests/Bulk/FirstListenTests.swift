// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import BulkMove
    import DocumentEngine
    import DocumentModel
    import Hearth
    import HearthConnected
    import IndexCatalog
    import QueryPlanner
    import ReplicaStore
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// What the clients of a replica that a push has made still download.
    @Suite struct FirstListenTests {
        private let folder: TemporaryDirectory
        private var path: String { folder.path("pushed.db") }

        init() throws {
            folder = try TemporaryDirectory()
        }

        /// Pushes 200 documents, of which 100 are in `c`, and compares them.
        private func push(to client: FirestoreClient) async throws {
            let source = try TemporaryDatabase(
                documents: Dictionary(
                    uniqueKeysWithValues: (0..<100).flatMap { number in
                        let path = DocumentPath("c", "d\(number)")
                        let fields = Fields([Field("n", .integer(Int64(number)))])!
                        return [(path, fields), (CollectionPath(path.resource.appending("sub")).document("s"), fields)]
                    }))
            var options = Engine.Options()
            options.identity = LocalServer.database
            let replica = try EngineReplica(path, options)
            let push = Push(
                source.engine, replica: replica, server: client, ramp: WriteRamp(start: 100_000),
                clock: ContinuousClock(), random: { 0.5 }
            ) { _ in
            }
            #expect(try await push.run().isComplete)
            let compared = try await Comparison(replica, server: client, clock: ContinuousClock()) { 0.5 }.run { _ in }
            #expect(compared.documents == 200 && compared.fetched == 0 && compared.removed == 0)
        }

        /// Nothing but what has changed since.
        @Test func nothingIsDownloaded() async throws {
            let server = try LocalServer()
            let client = try server.client()
            try await push(to: client)
            let device = try Device(path, FirestoreTransport(client))
            let all = device.listen(try SyncQuery.collection("c"))
            let group = device.listen(
                try SyncQuery(
                    Query(from: CollectionSelector(collectionID: "sub", allDescendants: true)),
                    database: LocalServer.database))
            let page = device.listen(
                try SyncQuery(
                    Query(
                        from: CollectionSelector(collectionID: "c"), orders: [Order(FieldPath(name: "n"), .descending)],
                        limit: 10), database: LocalServer.database))
            let one = device.listen(SyncQuery(document: DocumentPath("c", "d2")))
            try await wait(for: "all listeners") {
                device.synced(all)?.count == 100 && device.synced(group) != nil && device.synced(page)?.count == 10
                    && device.synced(one)?.count == 1
            }
            #expect(device.state.documents == 0)
            #expect(device.state.snapshots[group]?.documents.count == 100)
            // What the replica had was shown before the server answered.
            #expect(device.state.values[all]?.first?.count == 100)
            _ = try await client.commit([.n("c", "d3", -1), Write(DocumentPath("c", "d4"), .delete)])
            try await wait(for: "the changes") { device.synced(all)?.count == 99 && device.synced(all)?["d3"] == -1 }
            await device.stop()
            await client.close()
        }

        /// A program that opens the pushed file shows all rows at once, and then as the server has them.
        @Test func programShowsThePushedFile() async throws {
            let server = try LocalServer()
            let client = try server.client()
            try await push(to: client)
            await client.close()
            let database = try await Database.open(
                path: path, remote: .firestore(project: "p", credentials: .emulator(host: server.host)))
            let collection = database.collection("c")
            #expect(try await collection.getDocuments(source: .cache).count == 100)
            var seen: [Bool] = []
            for try await snapshot in collection.snapshots(includeMetadataChanges: true) {
                #expect(snapshot.count == 100)
                seen.append(snapshot.metadata.isFromCache)
                if !snapshot.metadata.isFromCache { break }
            }
            #expect(seen == [true, false])
            try await database.terminate()
        }

        /// The official emulator takes no state: it sends every document of every target again.
        @Test func emulatorSendsAll() async throws {
            guard let emulator = try EmulatorProcess(memory: "512m") else {
                print("FirstListenTests: skipped: the official Firestore emulator is not installed")
                return
            }
            let client = try FirestoreClient(project: "p", credentials: .emulator(host: "127.0.0.1:\(emulator.port)"))
            try await push(to: client)
            let device = try Device(path, FirestoreTransport(client))
            let all = device.listen(try SyncQuery.collection("c"))
            try await wait(for: "the listener") { device.synced(all)?.count == 100 }
            #expect(device.state.values[all]?.first?.count == 100)
            #expect(device.state.documents == 100)
            await device.stop()
            await client.close()
        }
    }
#endif
