// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import Foundation
    import Hearth
    import CloudFirestore
    import Synchronization
    import TestSupport
    import Testing

    /// A database's life with a real server: snapshots, networks, pending writes, endings.
    @Suite struct LiveDatabaseTests {
        // MARK: Snapshots

        @Test(arguments: LiveServer.present, [false, true])
        func documentSnapshots(_ server: LiveServer, _ includesMetadata: Bool) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            let heard = client.listen(to: document, includeMetadataChanges: includesMetadata)
            #expect(try await heard.next().map(\.text) == ["missing"])
            // Without metadata changes, the acknowledgement of a write is no news.
            try await document.setData(["n": 1])
            #expect(
                try await heard.next(includesMetadata ? 2 : 1).map(\.text) == (includesMetadata ? ["1p", "1"] : ["1p"]))
            try await document.setData(["n": 2])
            #expect(
                try await heard.next(includesMetadata ? 2 : 1).map(\.text) == (includesMetadata ? ["2p", "2"] : ["2p"]))
            try await document.delete()
            #expect(try await heard.next().map(\.text) == ["missing"])
            try await client.settle()
            #expect(heard.take().isEmpty)
        }

        /// A listener that begins with what the cache has is told when the server has agreed, if it asks for that.
        @Test(arguments: LiveServer.present) func cachedDocumentsFirst(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await document.setData(["n": 1])
            let usual = client.listen(to: document)
            let every = client.listen(to: document, includeMetadataChanges: true)
            #expect(try await every.next(2).map(\.text) == ["1c", "1"])
            #expect(try await usual.next().map(\.text) == ["1c"])
            try await client.settle()
            #expect(usual.take().isEmpty)
        }

        @Test(arguments: LiveServer.present) func querySnapshots(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            let heard = client.listen(to: client.collection)
            #expect(try await heard.next().map(\.text) == ["[]"])
            try await document.setData(["n": 1])
            #expect(try await heard.next().map(\.text) == ["[d=1p]p"])
            try await document.setData(["n": 2])
            #expect(try await heard.next().map(\.text) == ["[d=2p]p"])
            try await document.delete()
            #expect(try await heard.next().map(\.text) == ["[]"])
            try await client.settle()
            #expect(heard.take().isEmpty)
        }

        @Test(arguments: LiveServer.present) func snapshotsInSync(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await document.setData(["n": 1])
            let order = Heard<String>()
            let listening = document.addSnapshotListener { snapshot, _ in order.add(snapshot?.text) }
            #expect(try await order.next() == ["1c"])
            try await client.settle()
            let registration = client.database.addSnapshotsInSyncListener { order.add("sync") }
            try await document.setData(["n": 3])
            #expect(try await order.next(3) == ["sync", "3p", "sync"])
            for registration in [registration, registration, listening] { registration.remove() }
            try await document.setData(["n": 4])
            try await client.settle()
            #expect(order.take().allSatisfy { $0 == "sync" })
        }

        /// A callback may listen, and may remove its own listener.
        @Test(arguments: LiveServer.present) func callbacksThatListen(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            let heard = Heard<String>()
            let outer = Mutex<(any ListenerRegistration)?>(nil)
            document.setData(["n": 1]) { error in
                #expect(error == nil)
                let registration = document.addSnapshotListener { _, _ in
                    outer.withLock { $0?.remove() }
                    let inner = document.addSnapshotListener { snapshot, _ in heard.add(snapshot?.text) }
                    heard.registration.withLock { $0 = inner }
                }
                outer.withLock { $0 = registration }
            }
            #expect(try await heard.next().first?.hasPrefix("1") == true)
        }

        // MARK: Networks

        @Test(arguments: LiveServer.present) func readsAndWritesOffline(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let document = client.collection.document("d")
            try await client.database.disableNetwork()
            await #expect(throws: FirestoreError.self) { _ = try await document.getDocument() }
            let written = Heard<String>()
            document.setData(["n": 1]) { written.add($0?.localizedDescription ?? "written") }
            #expect(try await document.getDocument().text == "1cp")
            #expect(written.take().isEmpty)
            try await client.database.disableNetwork()
            for _ in 0..<2 { try await client.database.enableNetwork() }
            #expect(try await written.next() == ["written"])
            #expect(try await document.getDocument(source: .server).text == "1")
            let found = try await client.others.documents(at: [DocumentPath(client.collection.path, "d")])
            #expect(found.first?.value("n") == 1)
        }

        @Test(arguments: LiveServer.present) func pendingWrites(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            try await client.database.disableNetwork()
            // Nothing is pending, so there is nothing to wait for.
            try await client.database.waitForPendingWrites()
            let order = Heard<String>()
            client.collection.document("d").setData(["n": 1]) { _ in order.add("written") }
            client.database.waitForPendingWrites { order.add("waited \($0 == nil)") }
            client.collection.document("e").setData(["n": 1], completion: nil)
            _ = try await client.collection.getDocuments(source: .cache)
            #expect(order.take().isEmpty)
            try await client.database.enableNetwork()
            #expect(try await order.next(2) == ["written", "waited true"])
        }

        /// A write that nobody waited for ends the wait also if it is refused.
        @Test(arguments: LiveServer.present) func refusedWrites(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            let absent = client.collection.document("absent")
            absent.updateData(["n": 1], completion: nil)
            try await client.database.waitForPendingWrites()
            #expect(try await client.database.rejectedWrites().map(\.error.status) == [.notFound])
            #expect(try await !absent.getDocument().exists)
        }

        // MARK: Endings

        @Test(arguments: LiveServer.present) func restarts(_ server: LiveServer) async throws {
            let client = try await LiveClient(server)
            try await client.collection.document("d").setData(["n": 1])
            await #expect(throws: FirestoreError.self) { try await client.database.clearPersistence() }
            let heard = client.listen(to: client.collection)
            _ = try await heard.next()
            for _ in 0..<2 { try await client.database.terminate() }
            heard.remove()
            let status = await #expect(throws: FirestoreError.self) {
                _ = try await client.collection.document("d").getDocument()
            }?.status
            #expect(status == .failedPrecondition)
            await #expect(throws: FirestoreError.self) {
                let document = client.collection.document("d")
                try await client.database.runTransaction { _ = try $0.getDocument(document) }
            }
            let again = try await client.reopened()
            let document = again.document("\(client.collection.path)/d")
            #expect(try await document.getDocument(source: .cache).text == "1c")
            try await again.terminate()
            try await again.clearPersistence()
            let empty = try await client.reopened()
            let status2 = await #expect(throws: FirestoreError.self) {
                _ = try await empty.document(document.path).getDocument(source: .cache)
            }?.status
            #expect(status2 == .unavailable)
            #expect(try await empty.document(document.path).getDocument().text == "1")
            try await empty.terminate()
        }

        /// A cache in memory forgets at once what nothing needs, or keeps it up to a size.
        @Test(arguments: LiveServer.present, [false, true])
        func memoryCaches(_ server: LiveServer, _ keepsUnused: Bool) async throws {
            let settings =
                keepsUnused
                ? MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings()) : MemoryCacheSettings()
            let client = try await LiveClient(server, cache: settings)
            let document = client.collection.document("d")
            try await document.setData(["n": 1])
            guard !keepsUnused else {
                return #expect(try await document.getDocument(source: .cache).text == "1c")
            }
            let error = await #expect(throws: FirestoreError.self) {
                _ = try await document.getDocument(source: .cache)
            }
            #expect(error?.status == .unavailable)
        }
    }
#endif
