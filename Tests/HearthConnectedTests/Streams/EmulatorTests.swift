// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// The official emulator as the server. It proves that the devices converge, not how: it sends every target whole.
    @Suite struct EmulatorTests {
        private static let emulator = Result { try EmulatorProcess(memory: "768m") }

        @Test func twoDevices() async throws {
            guard let emulator = try Self.emulator.get() else {
                print("EmulatorTests: skipped: the official Firestore emulator is not installed")
                return
            }
            let directory = try TemporaryDirectory()
            let client = {
                try FirestoreClient(project: "p", credentials: .emulator(host: "127.0.0.1:\(emulator.port)"))
            }
            let device = { (name: String) in
                try Device(directory.path("\(name).db"), FirestoreTransport(client()))
            }
            let query = try SyncQuery.collection("c")
            let (first, second) = (try device("first"), try device("second"))
            let (one, two) = (first.listen(query), second.listen(query))
            for n in 0..<20 { (n % 2 == 0 ? first : second).write(.n("c", "d\(n % 7)", Int64(n))) }
            try await wait(for: "both devices to agree") {
                guard let left = first.synced(one), let right = second.synced(two) else { return false }
                return left.count == 7 && left == right
            }
            // Writes without a network, and a process that ends before it has one.
            first.feed(.disableNetwork)
            first.write(Write(DocumentPath("c", "d0"), .delete))
            first.write(.n("c", "late", 1))
            try await wait(for: "the local result") { first.state.snapshots[one]?.values["late"] == 1 }
            await first.stop()
            second.write(.n("c", "d1", 100))
            let again = try device("first")
            let three = again.listen(query)
            try await wait(for: "both devices to agree again") {
                guard let left = again.synced(three), let right = second.synced(two) else { return false }
                return left == right && left["late"] == 1 && left["d0"] == nil && left["d1"] == 100
            }
            #expect(first.repeatedCloses.isEmpty && again.repeatedCloses.isEmpty && second.repeatedCloses.isEmpty)
            let documents = try await client().documents(of: .collection("c"))
            #expect(documents.count == 7)
            await again.stop()
            await second.stop()
        }

        /// What a client is told that asks for what the server does not have.
        @Test func statuses() async throws {
            guard let emulator = try Self.emulator.get() else { return }
            let client = try FirestoreClient(project: "q", credentials: .emulator(host: "127.0.0.1:\(emulator.port)"))
            let partitions = await #expect(throws: SyncError.self) {
                try await client.partitions(of: .collectionGroup("c"), count: 2)
            }
            #expect(partitions?.code == .unimplemented)
            let update = Write(
                DocumentPath("c", "no"), .update([:], mask: ["a"], transforms: []), precondition: .exists(true))
            let missing = await #expect(throws: SyncError.self) { try await client.commit([update]) }
            #expect(missing?.code == .notFound)
            let results = try await client.batchWrite([update, .n("c", "b", 3)])
            guard case .failure(let error) = results[0], case .success = results[1] else {
                Issue.record("\(results)")
                return
            }
            #expect(error.code == .notFound)
            #expect(try await client.collectionIDs(under: nil) == ["c"])
            await client.close()
        }
    }
#endif
