// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// What listeners and callers see of a write, from the call to the server's answer (C-28, C-34).
@Suite struct WriteLifeTests {
    @Test func acknowledgedBeforeTheListenTells() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        server.change { $0.answersWrites = false }
        let every = device.listen(to: device.cities, includeMetadataChanges: true)
        let usual = device.listen(to: device.cities)
        #expect(try await every.next().map(\.text) == ["[]"])
        #expect(try await usual.next().map(\.text) == ["[]"])

        let answers = Heard<String>()
        device.cities.document("SF").setData(["n": 1]) { answers.add("\($0 == nil)") }
        #expect(try await every.next().map(\.text) == ["[SF=1p]p"])
        #expect(try await usual.next().map(\.text) == ["[SF=1p]p"])
        #expect(answers.take().isEmpty, "the server has not answered")

        server.change { state in
            state.tellsListeners = false
            state.answersWrites = true
        }
        #expect(try await answers.next() == ["true"])
        #expect(every.take().isEmpty, "until the listen confirms the write, it is pending")
        server.change { $0.tellsListeners = true }
        #expect(try await every.next().map(\.text) == ["[SF=1]"])
        #expect(usual.take().isEmpty, "changes of metadata alone are told to those who ask")
        #expect(try server.n("cities/SF") == 1)
        try await device.verify()
    }

    @Test func theListenTellsBeforeTheAcknowledgement() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        server.change { state in
            state.answersWrites = false
            state.tellsFirst = true
        }
        let heard = device.listen(to: device.cities, includeMetadataChanges: true)
        _ = try await heard.next()
        device.cities.document("SF").setData(["n": 1], completion: nil)
        #expect(try await heard.next().map(\.text) == ["[SF=1p]p"])
        server.change { $0.answersWrites = true }
        #expect(try await heard.next().map(\.text) == ["[SF=1]"])
    }

    @Test func whatOthersWriteStaysHiddenUntilTheAcknowledgement() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(0))
        let device = try Device(server)
        let heard = device.listen(to: device.cities, includeMetadataChanges: true)
        #expect(try await heard.next().map(\.text) == ["[SF=0]"])
        server.change { $0.answersWrites = false }
        device.cities.document("SF").updateData(["n": 1], completion: nil)
        #expect(try await heard.next().map(\.text) == ["[SF=1p]p"])
        try server.set("cities/SF", .n(7))
        try server.set("cities/LA", .n(2))
        #expect(try await heard.next().map(\.text) == ["[LA=2 SF=1p]p"])
        server.change { $0.answersWrites = true }
        #expect(try await heard.next().map(\.text) == ["[LA=2 SF=1]"])
    }

    @Test func refusedWritesAreTakenBack() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(0))
        let device = try Device(server)
        let heard = device.listen(to: device.cities)
        _ = try await heard.next()
        server.change { $0.refusal = SyncError(.permissionDenied, "Missing or insufficient permissions.") }
        await #expect(throws: FirestoreError(.permissionDenied, "Missing or insufficient permissions.")) {
            try await device.cities.document("SF").delete()
        }
        #expect(try await heard.next(2).map(\.text) == ["[]", "[SF=0]"])
        // Nobody waits for this one, so it is logged.
        device.cities.document("SF").setData(["n": 1], completion: nil)
        #expect(try await heard.next(2).map(\.text) == ["[SF=1p]p", "[SF=0]"])
        let message = try await device.log.next()
        #expect(message == ["Write at cities/SF failed: Missing or insufficient permissions."])
        server.change { $0.refusal = nil }
        try await device.cities.document("SF").setData(["n": 2])
        #expect(try server.n("cities/SF") == 2)
    }

    @Test func invalidWritesAreNotQueued() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        await #expect(throws: FirestoreError.self) { try await device.cities.document("SF").setData(["": 1]) }
        let large = String(repeating: "x", count: 1 << 20)
        await #expect(throws: FirestoreError.self) { try await device.cities.document("SF").setData(["a": large]) }
        try await device.database.waitForPendingWrites()
    }

    @Test func storedIsEnoughOffline() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        try await device.cities.document("SF").setData(["n": 1], until: .stored)
        try await device.cities.document("SF").updateData(["n": FieldValue.increment(Int64(2))], until: .stored)
        try await device.cities.document("LA").setData(["n": 1], until: .stored)
        try await device.cities.document("LA").delete(until: .stored)
        let batch = device.database.batch()
        batch.setData(["n": 5], forDocument: device.cities.document("NY"))
        batch.deleteDocument(device.cities.document("LA"))
        try await batch.commit(until: .stored)
        let cached = try await device.cities.getDocuments(source: .cache)
        #expect(cached.text == "[NY=5p SF=3p]cp")
        #expect(server.commitCount == 0)
        try await device.database.terminate()

        // What is queued is sent after a restart.
        let again = try device.reopened()
        try await again.waitForPendingWrites()
        #expect(server.commitCount == 5)
        #expect(try server.n("cities/SF") == 3)
        #expect(try server.document("cities/LA") == nil)
        #expect(try await again.collection("cities").getDocuments().text == "[NY=5 SF=3]")
        #expect(try await again.verify().problems == [])
    }

    @Test func blockingForms() throws {
        let server = try FakeServer()
        let device = try Device(server)
        let city = device.cities.document("SF")
        try city.sync.setData(["n": 1])
        try city.sync.updateData(["n": 2], until: .stored)
        try device.database.sync.waitForPendingWrites()
        #expect(try server.n("cities/SF") == 2)
        #expect(try city.sync.getDocument().text == "2")
        #expect(try city.sync.getDocument(source: .cache).text == "2c")
        #expect(try device.cities.sync.getDocuments().text == "[SF=2]")
        try device.database.sync.terminate()
        #expect(text(.failedPrecondition) { try city.sync.setData(["n": 3]) } != nil)
    }

    @Test func pendingServerTimestamps() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(4))
        let device = try Device(server)
        let city = device.cities.document("SF")
        let heard = device.listen(to: city)
        _ = try await heard.next()
        server.change { $0.answersWrites = false }
        city.updateData(["n": FieldValue.serverTimestamp(), "new.at": FieldValue.serverTimestamp()], completion: nil)
        let pending = try #require(try await heard.next().first)
        #expect(pending.metadata.hasPendingWrites)
        #expect(pending.updateTime == nil)
        #expect(pending.data()?["n"] is NSNull)
        #expect(pending.get("new.at") is NSNull)
        #expect(pending.get("new.at", serverTimestampBehavior: .estimate) is Hearth.Timestamp)
        #expect(pending.get("n", serverTimestampBehavior: .previous) as? Int == 4)
        #expect(pending.get("new.at", serverTimestampBehavior: .previous) is NSNull)
        struct City: Decodable { var n: Hearth.Timestamp? }
        #expect(try pending.data(as: City.self).n == nil)
        #expect(try pending.data(as: City.self, with: .estimate).n != nil)
        server.change { $0.answersWrites = true }
        let settled = try #require(try await heard.next().first)
        #expect(settled.get("n") is Hearth.Timestamp)
        #expect(!settled.metadata.hasPendingWrites)
        #expect(settled.updateTime != nil)
    }
}
