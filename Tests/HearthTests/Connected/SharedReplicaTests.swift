// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Hearth
import SyncCore
import TestSupport
import Testing

/// Two database objects on one file of offline data, as two processes have them: the first has the streams.
@Suite struct SharedReplicaTests {
    private let server: FakeServer
    private let owner: Device
    private let guest: Database

    init() throws {
        server = try FakeServer()
        owner = try Device(server)
        guest = try owner.reopened()
    }

    private var guestCities: CollectionReference { guest.collection("cities") }

    private func end() async throws {
        try await owner.verify()
        try await guest.terminate()
        try await owner.database.terminate()
    }

    @Test func bothSeeWhatEitherWritesAndWhatTheServerSends() async throws {
        try server.set("cities/SF", .n(1))
        let atGuest = owner.listen(to: guestCities)
        let atOwner = owner.listen(to: owner.cities)
        try await wait(for: "the server's document at the guest") { atGuest.take().last?.text == "[SF=1]" }
        try await guestCities.document("LA").setData(["n": 2])
        #expect(server.state.withLock { $0.commitCount } == 1)
        try await wait(for: "the guest's write at the owner") { atOwner.take().last?.text == "[LA=2 SF=1]" }
        try await owner.cities.document("NY").setData(["n": 3])
        try await wait(for: "the owner's write at the guest") { atGuest.take().last?.text == "[LA=2 NY=3 SF=1]" }
        try server.set("cities/SF", .n(9))
        try await wait(for: "the server's change at the guest") { atGuest.take().last?.text == "[LA=2 NY=3 SF=9]" }
        #expect(try await guestCities.getDocuments(source: .server).text == "[LA=2 NY=3 SF=9]")
        try await end()
    }

    @Test func aGuestIsToldWhatTheServerRefuses() async throws {
        let refusal = SyncError(.permissionDenied, "No.")
        server.change { $0.refusal = refusal }
        await #expect(throws: FirestoreError(.permissionDenied, "No.")) {
            try await guestCities.document("LA").setData(["n": 2])
        }
        server.change { ($0.refusal, $0.listenRefusal) = (nil, refusal) }
        let heard = owner.listen(to: guestCities)
        try await wait(for: "the refused listen") { heard.failures == [FirestoreError(.permissionDenied, "No.")] }
        server.change { $0.listenRefusal = nil }
        try await guest.waitForPendingWrites()
        #expect(try await guestCities.getDocuments(source: .server).text == "[]")
        try await end()
    }

    /// What the first has queued, and not sent, the second sends; what waits for an answer there is told.
    @Test func theGuestTakesOver() async throws {
        try server.set("cities/SF", .n(1))
        let atGuest = owner.listen(to: guestCities)
        try await wait(for: "the server's document at the guest") { atGuest.take().last?.text == "[SF=1]" }
        try await owner.database.disableNetwork()
        try await owner.cities.document("LA").setData(["n": 2], until: .stored)
        async let answer: Void = guestCities.document("NY").setData(["n": 3])
        try await wait(for: "both writes") { atGuest.take().last?.text == "[LA=2p NY=3p SF=1]cp" }
        try await owner.database.terminate()
        try await answer
        try await wait(for: "the server's answers") { atGuest.take().last?.text == "[LA=2 NY=3 SF=1]" }
        #expect(server.state.withLock { $0.commitCount } == 2)
        try server.set("cities/SF", .n(9))
        try await wait(for: "the server's change") { atGuest.take().last?.text == "[LA=2 NY=3 SF=9]" }
        let third = try owner.reopened()
        #expect(try await third.collection("cities").getDocuments(source: .server).text == "[LA=2 NY=3 SF=9]")
        try await third.terminate()
        try await guest.terminate()
    }

    /// What is told to the guest while it does not want the network is what the first process knows.
    @Test func aGuestThatDisablesTheNetworkAsksForNothing() async throws {
        try server.set("cities/SF", .n(1))
        try await guest.disableNetwork()
        let heard = owner.listen(to: guestCities)
        #expect(try await heard.next().map(\.text) == ["[]c"])
        try await guest.enableNetwork()
        try await wait(for: "the server's document") { heard.take().last?.text == "[SF=1]" }
        try await end()
    }
}
