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

    /// The first client that has started is the owner. A start that must be repeated would leave that to the guest; only an answer of
    /// the server tells that it was successful. It is of another query than the tests', for its target may still be listened to when
    /// the call returns.
    init() async throws {
        server = try FakeServer()
        owner = try Device(server)
        _ = try await owner.database.collection("others").getDocuments(source: .server)
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
        let atGuest = owner.listen(to: guestCities, includeMetadataChanges: true)
        let atOwner = owner.listen(to: owner.cities, includeMetadataChanges: true)
        try await atGuest.shows("[SF=1]")
        try await guestCities.document("LA").setData(["n": 2])
        #expect(server.commitCount == 1)
        try await atOwner.shows("[LA=2 SF=1]")
        try await owner.cities.document("NY").setData(["n": 3])
        try await atGuest.shows("[LA=2 NY=3 SF=1]")
        try server.set("cities/SF", .n(9))
        try await atGuest.shows("[LA=2 NY=3 SF=9]")
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
        let atGuest = owner.listen(to: guestCities, includeMetadataChanges: true)
        try await atGuest.shows("[SF=1]")
        try await guest.disableNetwork()
        try await owner.database.disableNetwork()
        try await owner.cities.document("LA").setData(["n": 2], until: .stored)
        async let answer: Void = guestCities.document("NY").setData(["n": 3])
        try await atGuest.shows("[LA=2p NY=3p SF=1]cp")
        try await owner.database.terminate()
        try await guest.enableNetwork()
        try await answer
        try await atGuest.shows("[LA=2 NY=3 SF=1]")
        #expect(server.commitCount == 2)
        try server.set("cities/SF", .n(9))
        try await atGuest.shows("[LA=2 NY=3 SF=9]")
        let third = try owner.reopened()
        #expect(try await third.collection("cities").getDocuments(source: .server).text == "[LA=2 NY=3 SF=9]")
        try await third.terminate()
        try await guest.terminate()
    }

    @Test func theFirstLeavesTheNetworkThatItDoesNotWantToAnother() async throws {
        try server.set("cities/SF", .n(1))
        let atOwner = owner.listen(to: owner.cities, includeMetadataChanges: true)
        try await atOwner.shows("[SF=1]")
        try await owner.database.disableNetwork()
        try await owner.cities.document("LA").setData(["n": 2])
        try await atOwner.shows("[LA=2 SF=1]")
        try server.set("cities/SF", .n(9))
        try await atOwner.shows("[LA=2 SF=9]")
        try await owner.database.enableNetwork()
        try await guest.disableNetwork()
        try await guestCities.document("NY").setData(["n": 3])
        try await atOwner.shows("[LA=2 NY=3 SF=9]")
        #expect(server.commitCount == 2)
        try await end()
    }

    /// The network is the first process's: what that knows, the guest shows.
    @Test func aGuestThatDisablesTheNetworkGoesOnWithThatOfTheOwner() async throws {
        try server.set("cities/SF", .n(1))
        try await guest.disableNetwork()
        let heard = owner.listen(to: guestCities, includeMetadataChanges: true)
        try await heard.shows("[SF=1]")
        try await owner.database.disableNetwork()
        try await heard.shows("[SF=1]c")
        try await end()
    }
}

extension Heard<QuerySnapshot> {
    /// Waits until the last snapshot is this one.
    fileprivate nonisolated(nonsending) func shows(_ text: String) async throws {
        var texts: [String] = []
        do {
            try await wait(for: text) {
                texts += take().map(\.text)
                return texts.last == text
            }
        } catch {
            Issue.record("\(texts) came, not \(text)")
            throw error
        }
    }
}
