// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// Snapshots of listeners in a database with a remote (C-23 to C-33).
@Suite struct ConnectedListenerTests {
    /// C-25, C-27.
    @Test func documentChanges() async throws {
        let server = try FakeServer()
        for (id, number) in [("a", 1), ("b", 2), ("c", 3)] { try server.set("cities/\(id)", .n(Int64(number))) }
        let device = try Device(server)
        let heard = device.listen(to: device.cities.order(by: "n"), includeMetadataChanges: true)
        #expect(try await heard.next()[0].changeTexts == ["+a@0", "+b@1", "+c@2"])
        server.change { $0.answersWrites = false }
        let batch = device.database.batch()
        batch.deleteDocument(device.cities.document("a"))
        batch.updateData(["n": 9], forDocument: device.cities.document("b"))
        batch.setData(["n": 4], forDocument: device.cities.document("d"))
        try await batch.commit(until: .stored)
        let pending = try await heard.next()[0]
        #expect(pending.text == "[c=3 d=4p b=9p]p")
        #expect(pending.changeTexts == ["-a@0", "+d@2", "b 0>2"])
        server.change { $0.answersWrites = true }
        let settled = try await heard.next()[0]
        #expect(settled.text == "[c=3 d=4 b=9]")
        #expect(settled.documentChanges.isEmpty)
        let ofMetadata = settled.documentChanges(includeMetadataChanges: true)
        #expect(ofMetadata.map(\.type) == [.modified, .modified])
        #expect(ofMetadata.map(\.document.documentID) == ["d", "b"])
        #expect(ofMetadata.map(\.newIndex) == [1, 2])
    }

    /// On the queue of the callbacks, where the listener's come first.
    @Test(arguments: [WriteMilestone.stored, .acknowledged])
    func writesAreInTheirListenersBeforeTheyEnd(_ milestone: WriteMilestone) async throws {
        let device = try Device(FakeServer())
        let heard = device.listen(to: device.cities)
        _ = try await heard.next()
        for number in 0..<30 {
            try await device.cities.document("\(number)").setData(["n": number], until: milestone)
            await withCheckedContinuation { continuation in device.queue.async { continuation.resume() } }
            #expect(heard.take().last?.ids.contains("\(number)") == true, "write \(number)")
        }
    }

    /// Rows that have not changed are the same objects, also when the result comes from the cache now.
    @Test func unchangedRowsAreNotBuiltAgain() async throws {
        let server = try FakeServer()
        for number in 1...3 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        let heard = device.listen(to: device.cities, includeMetadataChanges: true)
        let first = try await heard.next()[0]
        try server.set("cities/2", .n(9))
        let second = try await heard.next()[0]
        #expect(zip(first.documents, second.documents).map { $0 === $1 } == [true, false, true])
        try await device.database.disableNetwork()
        let third = try await heard.next()[0]
        #expect(third.text == "[1=1 2=9 3=3]c")
        #expect(third.documentChanges(includeMetadataChanges: true).isEmpty)
        #expect(!third.documents.contains { !$0.metadata.isFromCache })
    }

    /// C-29.
    @Test func cacheListeners() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        let cached = device.listen(to: device.cities, source: .cache)
        #expect(try await cached.next().map(\.text) == ["[]c"])
        try await device.cities.document("LA").setData(["n": 2])
        #expect(try await cached.next().map(\.text) == ["[LA=2p]cp"])
        #expect(try await device.cities.getDocuments().text == "[LA=2 SF=1]")
        try await wait(for: "what the other read has brought") {
            cached.take().last?.text.hasPrefix("[LA=2 SF=1]") == true
        }
    }

    /// C-30.
    @Test func refusedListens() async throws {
        let server = try FakeServer()
        server.change { $0.listenRefusal = SyncError(.failedPrecondition, "The query requires an index.") }
        let device = try Device(server)
        let heard = device.listen(to: device.cities)
        try await wait(for: "the error") { heard.failures.count == 1 }
        #expect(heard.failures == [FirestoreError(.failedPrecondition, "The query requires an index.")])
        #expect(heard.take().isEmpty)
        await #expect(throws: FirestoreError(.failedPrecondition, "The query requires an index.")) {
            _ = try await device.cities.getDocuments()
        }
        server.change { $0.listenRefusal = nil }
        #expect(try await device.cities.getDocuments().text == "[]")
    }

    /// C-31.
    @Test func limits() async throws {
        let server = try FakeServer()
        for number in 1...4 { try server.set("cities/\(number)", .n(Int64(number))) }
        let device = try Device(server)
        let first = device.listen(to: device.cities.order(by: "n").limit(to: 2))
        let last = device.listen(to: device.cities.order(by: "n").limit(toLast: 2))
        #expect(try await first.next().map(\.text) == ["[1=1 2=2]"])
        // It begins with what the other listener has brought.
        try await wait(for: "the last rows") { last.take().last?.text == "[3=3 4=4]" }
        try server.delete("cities/1")
        try await wait(for: "the next row") { first.take().last?.text == "[2=2 3=3]" }
        try server.set("cities/5", .n(5))
        try await wait(for: "the new last row") { last.take().last?.text == "[4=4 5=5]" }
    }

    /// C-33.
    @Test func snapshotsInSync() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let order = Heard<String>()
        let registration = device.database.addSnapshotsInSyncListener { order.add("sync") }
        #expect(try await order.next() == ["sync"])
        let queries = [device.cities, device.cities.whereField("n", isGreaterThan: 0)]
        for query in queries { query.addSnapshotListener { snapshot, _ in order.add(snapshot?.text) } }
        #expect(try await order.next(4) == ["[]", "sync", "[]", "sync"])
        server.change { $0.answersWrites = false }
        device.cities.document("SF").setData(["n": 1], completion: nil)
        #expect(try await order.next(3) == ["[SF=1p]p", "[SF=1p]p", "sync"])
        registration.remove()
        device.cities.document("SF").setData(["n": 2], completion: nil)
        #expect(try await order.next(2) == ["[SF=2p]p", "[SF=2p]p"])
    }

    /// C-32.
    @Test func sequences() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        var cities = device.cities.snapshots(includeMetadataChanges: true).makeAsyncIterator()
        #expect(try await cities.next()?.text == "[]")
        server.change { $0.answersWrites = false }
        device.cities.document("SF").setData(["n": 1], completion: nil)
        #expect(try await cities.next()?.text == "[SF=1p]p")
        server.change { $0.answersWrites = true }
        #expect(try await cities.next()?.text == "[SF=1]")
        var city = device.cities.document("SF").snapshots.makeAsyncIterator()
        #expect(try await city.next()?.text == "1c")
        try await device.database.terminate()
        #expect(try await city.next() == nil)
        #expect(try await cities.next() == nil)
    }

    /// A listener that begins with what the cache has is told so, and then what the server has.
    @Test func cachedResultFirst() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        try await device.database.terminate()
        try server.set("cities/SF", .n(2))
        let again = try device.reopened()
        let heard = Heard<QuerySnapshot>()
        let registration = again.collection("cities").addSnapshotListener { heard.add($0, $1) }
        #expect(try await heard.next(2).map(\.text) == ["[SF=1]c", "[SF=2]"])
        registration.remove()
        try await again.terminate()
    }
}
