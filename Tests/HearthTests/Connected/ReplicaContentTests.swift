// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// Users of one replica, and bundles.
@Suite struct ReplicaContentTests {
    /// Each user sees the own writes on top of the common documents.
    @Test func users() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        server.change { $0.answersWrites = false }
        let device = try Device(server)
        let heard = device.listen(to: device.cities)
        _ = try await heard.next()
        let answers = Heard<String>()
        device.cities.document("SF").setData(["n": 2]) { answers.add($0 == nil ? "written" : "failed") }
        _ = try await heard.next()
        let waited = Heard<String>()
        device.database.waitForPendingWrites { waited.add(($0 as? FirestoreError).map { "\($0.status)" } ?? "done") }
        server.setUser("a")
        #expect(try await waited.next() == ["cancelled"])
        try await wait(for: "the document without the other user's write") { heard.take().last?.text == "[SF=1]" }
        server.change { $0.answersWrites = true }
        try await device.cities.document("LA").setData(["n": 5])
        #expect(try server.n("cities/SF") == 1)
        server.setUser(nil)
        #expect(try await answers.next() == ["written"])
        #expect(try server.n("cities/SF") == 2)
        try await device.verify()
    }

    private static let bundle: Data = {
        let name = "projects/p/databases/(default)/documents"
        let time = "2024-01-01T00:00:00.000000Z"
        let elements = [
            #"{"namedQuery":{"name":"all","readTime":"\#(time)","bundledQuery":{"parent":"\#(name)","limitType":"FIRST","#
                + #""structuredQuery":{"from":[{"collectionId":"cities"}]}}}}"#,
            #"{"documentMetadata":{"name":"\#(name)/cities/SF","readTime":"\#(time)","exists":true,"queries":["all"]}}"#,
            #"{"document":{"name":"\#(name)/cities/SF","createTime":"\#(time)","updateTime":"\#(time)","#
                + #""fields":{"n":{"integerValue":"7"}}}}"#,
        ].map { "\($0.utf8.count)\($0)" }.joined()
        let metadata =
            #"{"metadata":{"id":"b","createTime":"\#(time)","version":1,"totalDocuments":1,"totalBytes":"\#(elements.utf8.count)"}}"#
        return Data("\(metadata.utf8.count)\(metadata)\(elements)".utf8)
    }()

    @Test func bundles() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let steps = Heard<LoadBundleTaskProgress>()
        let end = Heard<LoadBundleTaskProgress>()
        let task = device.database.loadBundle(ReplicaContentTests.bundle) { progress, error in
            #expect(error == nil)
            end.add(progress)
        }
        task.addObserver { steps.add($0) }
        #expect(try await end.next().map(\.state) == [.success])
        #expect(try await device.cities.getDocuments(source: .cache).text == "[SF=7]c")
        let query = try #require(await device.database.getQuery(named: "all"))
        #expect(try await query.getDocuments().text == "[SF=7]c")
        #expect(query == device.cities)
        #expect(try await query.whereField("n", isLessThan: 7).getDocuments().text == "[]c")
        #expect(await device.database.getQuery(named: "none") == nil)
        let again = try await device.database.loadBundle(InputStream(data: ReplicaContentTests.bundle))
        #expect(again.state == .success)
        await #expect(throws: FirestoreError.self) {
            try await device.database.loadBundle(Data("5hello".utf8))
        }
        await #expect(throws: FirestoreError.self) {
            try await Sample().database.loadBundle(ReplicaContentTests.bundle)
        }
        try await device.verify()
    }

    /// A reference belongs to the server's database, wherever the document was written.
    @Test func references() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let city = device.cities.document("SF")
        try await city.setData(["other": device.cities.document("LA")])
        guard case .reference(let stored)? = try server.document("cities/SF")?.fields["other" as Text] else {
            Issue.record("no reference")
            return
        }
        #expect(stored.database == FakeServer.database)
        #expect(try await city.getDocument()["other"] as? DocumentReference == device.cities.document("LA"))
    }
}
