// SPDX-License-Identifier: Apache-2.0

#if Server && Connected
    import DocumentModel
    import SyncCore
    import TestSupport
    import Testing

    @testable import HearthConnected

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
                if random.chance(0.2) {
                    devices[device].write(Write(DocumentPath("c", id), .delete))
                    model[id] = nil
                } else {
                    devices[device].write(.n("c", id, Int64(n)))
                    model[id] = Int64(n)
                }
                if random.chance(0.05) {
                    let finished = devices[device].state.finished.count
                    try await wait(for: "some progress") { devices[device].state.finished.count > finished }
                }
                if random.chance(0.02) { proxies[random.int(0..<2)].cutAll() }
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
    }
#endif
