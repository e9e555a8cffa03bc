// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// What the guides promise about offline data.
@Suite struct OfflineTests {
    /// C-19, C-20.
    @Test func documentsBySource() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let city = device.cities.document("SF")
        #expect(try await city.getDocument().text == "1")
        #expect(try await device.cities.document("none").getDocument().text == "missing")
        try server.set("cities/SF", .n(2))
        #expect(try await city.getDocument(source: .cache).text == "1c")
        #expect(try await city.getDocument(source: .server).text == "2")
        await expect("because the client is offline") {
            try await device.database.disableNetwork()
            _ = try await device.cities.document("LA").getDocument()
        }
        #expect(try await city.getDocument().text == "2c")
        await expect("does exist in the local cache") { _ = try await city.getDocument(source: .server) }
        await expect("may exist on the server") {
            _ = try await device.cities.document("LA").getDocument(source: .cache)
        }
        #expect(try await device.cities.document("none").getDocument(source: .cache).text == "missingc")
    }

    private func expect(_ part: String, _ body: () async throws -> Void) async {
        let error = await #expect(throws: FirestoreError.self) { try await body() }
        #expect(error?.status == .unavailable)
        #expect(error?.localizedDescription.contains(part) == true, "\(error as Any)")
    }

    /// C-21: a query offline has what the cache has, be it nothing.
    @Test func queriesBySource() async throws {
        let server = try FakeServer()
        for number in 1...3 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        #expect(try await device.cities.getDocuments().text == "[1=1 2=2 3=3]")
        try await device.database.disableNetwork()
        try await device.cities.document("4").setData(["n": 4], until: .stored)
        // A query that was never asked before, and would need an index in production.
        let last = device.cities.whereField("n", isGreaterThan: 1).order(by: "n").limit(toLast: 2)
        #expect(try await last.getDocuments().text == "[3=3 4=4p]cp")
        #expect(try await last.getDocuments(source: .cache).text == "[3=3 4=4p]cp")
        #expect(try await device.database.collection("towns").getDocuments().text == "[]c")
        await expect("may exist in the local cache") { _ = try await last.getDocuments(source: .server) }
    }

    /// C-22: while the client may be online, a read waits for the server; when it is not, the cache answers.
    @Test func readsWithoutNetwork() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        server.setReachable(false)
        #expect(try await device.cities.getDocuments().text == "[SF=1]c")
        try server.set("cities/SF", .n(2))
        server.setReachable(true)
        #expect(try await device.cities.getDocuments(source: .server).text == "[SF=2]")
    }

    /// C-35.
    @Test func networkOffAndOn() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let heard = device.listen(to: device.cities, includeMetadataChanges: true)
        #expect(try await heard.next().map(\.text) == ["[SF=1]"])
        try await device.database.disableNetwork()
        #expect(try await heard.next().map(\.text) == ["[SF=1]c"])
        device.cities.document("LA").setData(["n": 2], completion: nil)
        #expect(try await heard.next().map(\.text) == ["[LA=2p SF=1]cp"])
        try server.set("cities/NY", .n(3))
        try await device.database.enableNetwork()
        try await wait(for: "all documents from the server") { heard.take().last?.text == "[LA=2 NY=3 SF=1]" }
        try await device.verify()
    }

    /// A listener without metadata changes hears nothing of a change from cache to server alone.
    @Test func onlyMetadataChanges() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let usual = device.listen(to: device.cities)
        let every = device.listen(to: device.cities, includeMetadataChanges: true)
        _ = try await every.next()
        try await device.database.disableNetwork()
        try await device.database.enableNetwork()
        #expect(try await every.next(2).map(\.text) == ["[SF=1]c", "[SF=1]"])
        #expect(try await usual.next().map(\.text) == ["[SF=1]"])
        #expect(usual.take().isEmpty)
    }

    /// What no server takes is never queued. Maps nest 20 deep, and an array in them counts one (D-16).
    @Test func transformsThatAreTooDeepAreRefusedAtOnce() async throws {
        let device = try Device(try FakeServer())
        try await device.database.disableNetwork()
        let city = device.cities.document("SF")
        for names in [22, 70] {
            await expectRefusal(of: FieldValue.increment(Int64(1)), names, in: city)
            await expectRefusal(of: FieldValue.serverTimestamp(), names, in: city)
        }
        await expectRefusal(of: FieldValue.arrayUnion([1]), 21, in: city)
        await expectRefusal(of: FieldValue.arrayRemove([1]), 21, in: city)
        #expect(try await device.database.pendingWrites().isEmpty)
        try await city.setData([:], until: .stored)
        try await city.updateData([Self.path(21): FieldValue.increment(Int64(1))], until: .stored)
        #expect(try await device.database.pendingWrites().count == 2)
        try await device.verify()
    }

    private static func path(_ names: Int) -> String { Array(repeating: "m", count: names).joined(separator: ".") }

    private func expectRefusal(of transform: FieldValue, _ names: Int, in city: DocumentReference) async {
        let error = await #expect(throws: FirestoreError.self) {
            try await city.updateData([Self.path(names): transform], until: .stored)
        }
        #expect(error?.status == .invalidArgument, "\(names) names: \(error as Any)")
    }

    @Test func offlineListeners() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let city = device.cities.document("SF")
        let document = device.listen(to: city)
        let query = device.listen(to: device.cities.whereField("n", isEqualTo: 1))
        #expect(try await document.next().map(\.text) == ["missingc"])
        #expect(try await query.next().map(\.text) == ["[]c"])
        city.setData(["n": 1], completion: nil)
        #expect(try await document.next().map(\.text) == ["1cp"])
        #expect(try await query.next().map(\.text) == ["[SF=1p]cp"])
        city.delete(completion: nil)
        #expect(try await document.next().map(\.text) == ["missingc"])
        #expect(try await query.next().map(\.text) == ["[]c"])
    }

    /// A batch offline is shown and sent as one.
    @Test func batchesOffline() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let heard = device.listen(to: device.cities)
        _ = try await heard.next()
        let batch = device.database.batch()
        for number in 1...3 { batch.setData(["n": number], forDocument: device.cities.document("\(number)")) }
        batch.deleteDocument(device.cities.document("2"))
        try await batch.commit(until: .stored)
        #expect(try await heard.next().map(\.text) == ["[1=1p 3=3p]cp"])
        try await device.database.enableNetwork()
        try await device.database.waitForPendingWrites()
        #expect(server.commitCount == 1)
        #expect(try server.document("cities/3") != nil)
    }

    /// Edits made offline reach all devices.
    @Test func twoDevices() async throws {
        let server = try FakeServer()
        let (mine, other) = (try Device(server), try Device(server))
        let heard = other.listen(to: other.cities)
        _ = try await heard.next()
        try await mine.database.disableNetwork()
        mine.cities.document("SF").setData(["n": 1], completion: nil)
        mine.cities.document("SF").updateData(["n": FieldValue.increment(Int64(1))], completion: nil)
        try await other.cities.document("LA").setData(["n": 5])
        try await mine.database.enableNetwork()
        try await wait(for: "both cities") { heard.take().last?.text == "[LA=5 SF=2]" }
        #expect(try await mine.cities.getDocuments().text == "[LA=5 SF=2]")
        #expect(try await other.cities.getDocuments().text == "[LA=5 SF=2]")
    }

    /// C-36.
    @Test func waitForPendingWrites() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.waitForPendingWrites()
        server.change { $0.answersWrites = false }
        device.cities.document("SF").setData(["n": 1], completion: nil)
        let order = Heard<String>()
        device.database.waitForPendingWrites { order.add("waited \($0 == nil)") }
        try await device.cities.document("LA").setData(["n": 1], until: .stored)
        #expect(order.take().isEmpty)
        server.change { state in
            state.refusal = SyncError(.permissionDenied, "no")
            state.answersWrites = true
        }
        #expect(try await order.next() == ["waited true"], "a refusal is an answer")
    }
}
