// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import SyncCore
    import Synchronization
    import TestSupport
    import Testing

    @testable import CloudFirestore

    /// Connections that are cut, delayed and half-closed at random.
    @Suite struct RoughNetworkTests {
        /// The writes of a device are applied in their order, at least once each, so the last one of each document counts.
        @Test func everyWriteArrives() async throws {
            var random = SeededGenerator.printingSeed()
            let server = try LocalServer()
            let directory = try TemporaryDirectory()
            let proxies = try (0..<2).map { _ in
                try Proxy(to: server.port, SeededGenerator(seed: random.next()), wildness: 25)
            }
            let devices = try proxies.enumerated().map { number, proxy in
                let client = try FirestoreClient(project: "p", credentials: .emulator(host: "127.0.0.1:\(proxy.port)"))
                return try Device(
                    directory.path("\(number).db"), FirestoreTransport(client), seed: random.next())
            }
            let query = try SyncQuery.collection("c")
            let listeners = devices.map { $0.listen(query) }

            var model: [String: Int64] = [:]
            let count = Rounds.of(1_000)
            for n in 0..<count {
                // Each device has documents of its own: which of two devices comes last is nobody's rule.
                let device = random.int(0..<2)
                let id = "d\(device)-\(random.int(0..<6))"
                // Before the write, which may be answered at once.
                let finished = devices[device].state.finished.count
                if random.chance(0.2) {
                    devices[device].write(Write(DocumentPath("c", id), .delete))
                    model[id] = nil
                } else {
                    devices[device].write(.n("c", id, Int64(n)))
                    model[id] = Int64(n)
                }
                if random.chance(0.05) {
                    try await wait(for: "some progress") { devices[device].state.finished.count > finished }
                }
                if random.chance(0.02) { proxies[random.int(0..<2)].cutAll() }
                if n == count / 2 { try await cutForCertain(proxies[0]) }
            }
            for proxy in proxies { proxy.calm() }
            // A queued deletion of what is not there is in no view, so agreement alone does not mean that all was sent.
            try await wait(for: "every write to be answered") {
                devices.map(\.state.finished.count).reduce(0, +) == count
            }
            try await wait(for: "both devices to agree with the model") {
                zip(devices, listeners).allSatisfy { $0.synced($1) == model }
            }
            #expect(devices.allSatisfy { $0.state.finished.values.allSatisfy { $0 == nil } })
            #expect(devices.allSatisfy { $0.repeatedCloses.isEmpty })
            #expect(proxies.map(\.cuts).reduce(0, +) > 0)
            let truth = try await server.client().documents(of: .collection("c"))
            #expect(Set(truth.map(\.path.id.string)) == Set(model.keys))
            for device in devices { await device.stop() }
        }

        /// Commits whose answers are lost are sent again, and the server's counters are right all the same.
        @Test func everyIncrementCountsOnce() async throws {
            var random = SeededGenerator.printingSeed()
            let server = try LocalServer()
            let directory = try TemporaryDirectory()
            let proxy = try Proxy(to: server.port, SeededGenerator(seed: random.next()), wildness: 25)
            let client = try FirestoreClient(project: "p", credentials: .emulator(host: "127.0.0.1:\(proxy.port)"))
            let markers = CollectionPath(ResourcePath(segments: ["markers"]))
            let refusals = Mutex(0)
            let device = try Device(
                directory.path("a.db"), FirestoreTransport(client), seed: random.next(), markers: markers
            ) { effect in
                if case .readDocuments = effect { refusals.withLock { $0 += 1 } }
            }
            let listener = device.listen(try SyncQuery.collection("c"))
            var model: [String: Int64] = [:]
            let count = Rounds.of(1_000)
            for n in 0..<count {
                let id = "d\(random.int(0..<3))"
                if random.chance(0.1) {
                    device.write(.n("c", id, Int64(n)))
                    model[id] = Int64(n)
                } else {
                    device.write(
                        Write(
                            DocumentPath("c", id),
                            .update(
                                .empty, mask: [],
                                transforms: [FieldTransform(FieldPath(name: "n"), .increment(.integer(1)))])))
                    model[id, default: 0] += 1
                }
                if random.chance(0.2) {
                    let finished = device.state.finished.count
                    try await wait(for: "some progress") { device.state.finished.count > finished || finished > n }
                }
                if random.chance(0.05) { proxy.cutAll() }
                if n == count / 2 { try await cutForCertain(proxy) }
            }
            proxy.calm()
            try await wait(for: "the device to agree with the model") { device.synced(listener) == model }
            #expect(device.state.finished.values.allSatisfy { $0 == nil })
            #expect(proxy.cuts > 0)
            // How often a second attempt was refused, which is what the test is about.
            print("second attempts that were refused:", refusals.withLock { $0 })
            await device.stop()
        }

        /// Few writes may meet no cut by chance.
        private func cutForCertain(_ proxy: Proxy) async throws {
            try await wait(for: "a connection to cut") {
                proxy.cutAll()
                return proxy.cuts > 0
            }
        }
    }
#endif
