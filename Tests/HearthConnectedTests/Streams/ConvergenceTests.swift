// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import SyncCore
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// Devices with files of their own, and one `hearth serve`.
    @Suite struct ConvergenceTests {
        private let server: LocalServer
        private let directory: TemporaryDirectory

        init() throws {
            server = try LocalServer()
            directory = try TemporaryDirectory()
        }

        private func device(_ name: String) throws -> Device {
            try Device(directory.path("\(name).db"), FirestoreTransport(server.client()))
        }

        @Test func twoDevices() async throws {
            let (first, second) = (try device("first"), try device("second"))
            let query = try SyncQuery.collection("c")
            let (one, two) = (first.listen(query), second.listen(query))
            for n in 0..<20 {
                (n % 2 == 0 ? first : second).write(.n("c", "d\(n % 7)", Int64(n)))
            }
            try await wait(for: "all answers") {
                first.state.finished.count == 10 && second.state.finished.count == 10
            }
            let deletion = first.write(Write(DocumentPath("c", "d0"), .delete))
            try await wait(for: "the deletion") { first.state.finished[deletion] != nil }
            second.write(.n("c", "last", 99))
            try await wait(for: "both devices to agree") {
                guard let left = first.synced(one), let right = second.synced(two) else { return false }
                return left == right && left["last"] == 99 && left["d0"] == nil
            }
            let truth = try await server.client().documents(of: .collection("c"))
            #expect(Set(first.synced(one)?.keys.map { $0 } ?? []) == Set(truth.map(\.path.id.string)))
            await first.stop()
            await second.stop()
        }

        /// What was written without a network is sent by the next process that opens the file.
        @Test func writesAcrossRestarts() async throws {
            let first = try device("first")
            first.feed(.disableNetwork)
            let query = try SyncQuery.collection("c")
            let listener = first.listen(query)
            for n in 0..<5 { first.write(.n("c", "d\(n)", Int64(n))) }
            try await wait(for: "local results") { first.state.snapshots[listener]?.values.count == 5 }
            await first.stop()
            #expect(try await server.client().documents(of: .collection("c")).isEmpty)

            let again = try device("first")
            let second = again.listen(query)
            try await wait(for: "the queue to be sent") { again.synced(second)?.count == 5 }
            #expect(try await server.client().documents(of: .collection("c")).count == 5)
            await again.stop()
        }

        /// The second listen of a file asks for what has changed only.
        @Test func resumption() async throws {
            let client = try server.client()
            try await client.fill("c", 100)
            let query = try SyncQuery.collection("c")
            let first = try device("first")
            let listener = first.listen(query)
            try await wait(for: "the first result") { first.synced(listener)?.count == 100 }
            #expect(first.state.documents == 100)
            await first.stop()

            _ = try await client.commit([.n("c", "new", 7)])
            let again = try device("first")
            let second = again.listen(query)
            try await wait(for: "the difference") { again.synced(second)?.count == 101 }
            #expect(again.state.documents == 1)
            await again.stop()
        }

        @Test func refusedWrites() async throws {
            let device = try device("first")
            let write = device.write(
                Write(DocumentPath("c", "no"), .update([:], mask: ["a"], transforms: []), precondition: .exists(true)))
            let next = device.write(.n("c", "yes", 1))
            try await wait(for: "both answers") { device.state.finished.count == 2 }
            #expect(device.state.finished[write]??.code == .notFound)
            #expect(device.state.finished[next] == .some(nil))
            await device.stop()
        }

        /// A server that goes and comes back, on the same port.
        @Test func serverRestarts() async throws {
            let first = try LocalServer()
            let port = first.port
            let transport = try FirestoreTransport(first.client())
            let device = try Device(directory.path("first.db"), transport)
            let listener = device.listen(try .collection("c"))
            try await wait(for: "an empty result") { device.synced(listener) == [:] }
            first.stop()
            try await wait(for: "the end of the stream") { !device.state.closes.isEmpty }
            device.write(.n("c", "a", 1))
            let again = try LocalServer(port: port)
            try await wait(for: "the write") { device.synced(listener) == ["a": 1] }
            #expect(try await again.client().documents(of: .collection("c")).count == 1)
            #expect(device.repeatedCloses.isEmpty)
            await device.stop()
        }

        /// Nothing is reported of a stream that this side has closed, nor after the end.
        @Test func closing() async throws {
            let device = try device("first")
            let listener = device.listen(try .collection("c"))
            try await wait(for: "a result") { device.synced(listener) == [:] }
            await device.stop()
            #expect(device.state.closes.isEmpty)
        }
    }
#endif
