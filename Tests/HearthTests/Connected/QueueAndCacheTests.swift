// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// The queue and the cache of a database with a remote, as its program sees and changes them.
@Suite struct QueueAndCacheTests {
    private func expect(
        _ status: FirestoreErrorCode.Code, _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: FirestoreError.self) { try await body() }
        #expect(error?.status == status, "\(error as Any)")
    }

    @Test func pendingWritesAreListedAndCancelled() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let city = device.cities.document("SF")
        try await city.setData(["n": 1], until: .stored)
        try await city.updateData(["n": FieldValue.increment(Int64(1))], until: .stored)
        let pending = try await device.database.pendingWrites()
        #expect(pending.map(\.id) == [1, 2] && pending.map(\.attempts) == [0, 0])
        #expect(pending.map { $0.documents.map(\.path) } == [["cities/SF"], ["cities/SF"]])
        try await device.database.cancel(pending[1])
        #expect(try await city.getDocument(source: .cache).data()?["n"] as? Int64 == 1)
        await expect(.notFound) { try await device.database.cancel(pending[1]) }
        try await device.database.enableNetwork()
        try await device.database.waitForPendingWrites()
        #expect(try await device.database.pendingWrites().isEmpty)
        #expect(try await city.getDocument(source: .server).data()?["n"] as? Int64 == 1)
    }

    @Test func rejectedWritesAreKeptOverRestarts() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let city = device.cities.document("SF")
        server.state.withLock { $0.refusal = SyncError(.permissionDenied, "No.") }
        await expect(.permissionDenied) { try await city.setData(["n": 1]) }
        try await device.database.terminate()
        let database = try device.reopened()
        let rejected = try #require(try await database.rejectedWrites().first)
        #expect(rejected.error.status == .permissionDenied && rejected.error.localizedDescription == "No.")
        #expect(rejected.documents.map(\.path) == ["cities/SF"])
        #expect(rejected.time <= rejected.rejectTime)
        server.state.withLock { $0.refusal = nil }
        try await database.retry(rejected)
        try await database.waitForPendingWrites()
        #expect(try await database.document("cities/SF").getDocument(source: .server).data()?["n"] as? Int64 == 1)
        #expect(try await database.rejectedWrites().isEmpty)
        await expect(.notFound) { try await database.drop(rejected) }
        await expect(.notFound) { try await database.retry(rejected) }
    }

    @Test func cacheKeepsPinnedQueriesAndForgetsOthers() async throws {
        let server = try FakeServer()
        for number in 1...4 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        let cache = device.database.cache
        let low = device.cities.whereField("n", isLessThan: 3)
        #expect(try await cache.completeAsOf(low) == nil)
        try await cache.pin(low)
        _ = try await low.getDocuments(source: .server)
        _ = try await device.cities.getDocuments(source: .server)
        #expect(try await cache.completeAsOf(device.cities) != nil)
        #expect(try await cache.completeAsOf(device.cities.order(by: "n").limit(to: 2)) != nil)
        #expect(try await cache.size() > 0)
        try await cache.evict(device.cities)
        #expect(try await device.cities.getDocuments(source: .cache).documents.map(\.documentID) == ["1", "2"])
        #expect(try await cache.completeAsOf(device.cities) == nil)
        #expect(try await cache.completeAsOf(low) != nil)
        await expect(.failedPrecondition) { try await cache.evict(device.cities.document("1")) }
        try await cache.unpin(low)
        try await cache.evict(device.cities.document("1"))
        #expect(try await device.cities.getDocuments(source: .cache).documents.map(\.documentID) == ["2"])
        try await device.verify()
    }

    @Test func cacheFirstAsksTheServerForWhatIsMissing() async throws {
        let server = try FakeServer()
        for number in 1...2 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        let source = FirestoreSource.cacheFirst(deadline: .seconds(3_600))
        #expect(try await device.cities.document("1").getDocument(source: source).text == "1")
        #expect(try await device.cities.getDocuments(source: source).text == "[1=1 2=2]")
        try server.set("cities/1", .n(5))
        #expect(try await device.cities.document("1").getDocument(source: source).text == "1c")
        #expect(try await device.cities.getDocuments(source: source).text == "[1=1 2=2]c")
    }

    /// Nobody has awaited these.
    @Test func cacheFirstSeesWritesWithACallback() async throws {
        let server = try FakeServer()
        try server.set("cities/1", .n(1))
        let device = try Device(server)
        let city = device.cities.document("1")
        _ = try await city.getDocument()
        server.change { $0.answersWrites = false }
        for n in 2...100 { city.setData(["n": n], completion: nil) }
        let source = FirestoreSource.cacheFirst(deadline: .seconds(3_600))
        #expect(try await city.getDocument(source: source).text == "100cp")
        for n in 101...200 { city.setData(["n": n], completion: nil) }
        let heard = Heard<String>()
        city.getDocument(source: source) { document, _ in heard.add(document?.text) }
        #expect(try await heard.next() == ["200cp"])
    }

    /// A merge does not say what else is in a document, be it acknowledged or not.
    @Test(arguments: [false, true]) func cacheFirstTakesNoPartForTheWhole(_ isAcknowledged: Bool) async throws {
        let server = try FakeServer()
        for number in 1...4 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        server.change { $0.answersWrites = isAcknowledged }
        let time: WriteMilestone = isAcknowledged ? .acknowledged : .stored
        let source = FirestoreSource.cacheFirst(deadline: .seconds(3_600))
        let read = { (id: String) in try await device.cities.document(id).getDocument(source: source) }
        let pending = isAcknowledged ? "" : "p"
        try await device.cities.document("1").setData(["m": 7], merge: true, until: time)
        #expect(try await device.cities.document("1").getDocument(source: .cache)["n"] == nil)
        #expect(try await read("1").text == "1\(pending)")
        #expect(try await read("1")["m"] as? Int64 == 7)
        // These say all, and so does a merge on them.
        try await device.cities.document("2").setData(["n": 8], until: time)
        #expect(try await read("2").text == "8c\(pending)")
        try await device.cities.document("2").setData(["m": 7], merge: true, until: time)
        #expect(try await read("2").text == "8c\(pending)")
        try await device.cities.document("3").delete(until: time)
        #expect(try await read("3").text == "missingc\(pending)")
        try await device.cities.document("3").setData(["m": 7], merge: true, until: time)
        #expect(try await read("3").text == "-c\(pending)")
        // The server is asked, and the cache answers for it offline.
        try await device.cities.document("4").setData(["m": 7], merge: true, until: time)
        try await device.database.disableNetwork()
        #expect(try await read("4").text == "-c\(pending)")
    }

    @Test func cacheFirstDoesNotWaitForASilentServer() async throws {
        let server = try FakeServer()
        try server.set("cities/1", .n(1))
        let device = try Device(server)
        _ = try await device.cities.document("1").getDocument()
        server.setReachable(false)
        // No answer comes before the deadline of nothing.
        let source = FirestoreSource.cacheFirst(deadline: .zero)
        #expect(try await device.cities.getDocuments(source: source).text == "[1=1]c")
        await expect(.unavailable) { _ = try await device.cities.document("2").getDocument(source: source) }
    }

    @Test func withoutARemoteThereIsNoQueue() async throws {
        let directory = try TemporaryDirectory()
        let database = try await Database.open(path: directory.path("a.db"))
        await expect(.failedPrecondition) { _ = try await database.pendingWrites() }
        await expect(.failedPrecondition) { _ = try await database.cache.size() }
    }
}
