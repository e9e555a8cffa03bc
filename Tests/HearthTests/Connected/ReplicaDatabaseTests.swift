// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentEngine
import DocumentModel
import Foundation
import ReplicaStore
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// Opening, closing and emptying the offline data of a server's database, and what it refuses.
@Suite struct ReplicaDatabaseTests {
    @Test func offlineDataInUseIsNotDeleted() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let second = try device.reopened()
        try await device.database.terminate()
        let error = await #expect(throws: FirestoreError.self) { try await device.database.clearPersistence() }
        #expect(error?.localizedDescription.contains("is in use by another client") == true)
        try await second.terminate()
        try await device.database.clearPersistence()
    }

    @Test func anotherDatabase() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.terminate()
        let remote = Remote(
            database: DatabaseID(project: "other"), connect: { _ in FakeTransport(server: server, number: 0) })
        let error = #expect(throws: FirestoreError.self) {
            _ = try Database.open(path: device.path, settings: Sample.settings, remote: remote)
        }
        #expect(
            error?.localizedDescription.contains("holds the offline data of projects/p/databases/(default)") == true)
        // Without the remote, nobody would send what is written.
        #expect(throws: FirestoreError.self) { _ = try Database.open(path: device.path, settings: Sample.settings) }
        let local = try Sample()
        try await local.database.terminate()
        #expect(throws: FirestoreError.self) {
            _ = try Database.open(path: local.path, settings: Sample.settings, remote: server.remote)
        }
    }

    @Test func credentialsThatCannotBeUsed() throws {
        let directory = try TemporaryDirectory()
        let remote = Remote(
            database: FakeServer.database, connect: { _ in throw FirestoreError(.invalidArgument, "no such key file") })
        #expect(throws: FirestoreError(.invalidArgument, "no such key file")) {
            _ = try Database.open(path: directory.path("r.db"), settings: Sample.settings, remote: remote)
        }
    }

    /// Increments leave markers if the settings name a collection, and nowhere else.
    @Test func exactlyOnceCollection() async throws {
        let server = try FakeServer()
        let directory = try TemporaryDirectory()
        let settings = Sample.settings
        settings.exactlyOnceCollection = "cities/SF"
        let error = await #expect(throws: FirestoreError.self) {
            _ = try await Database.open(path: directory.path("r.db"), settings: settings, remote: server.remote)
        }
        #expect(error?.localizedDescription.contains("exactlyOnceCollection") == true)
        settings.exactlyOnceCollection = "commits"
        let database = try await Database.open(
            path: directory.path("r.db"), settings: settings, remote: server.remote)
        try await database.document("cities/SF").setData(["n": FieldValue.increment(Int64(1))], merge: true)
        let markers = try await database.collection("commits").getDocuments(source: .server)
        #expect(markers.count == 1)
        try await database.terminate()
    }

    /// C-37.
    @Test func clearPersistence() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        try await device.database.disableNetwork()
        try await device.cities.document("LA").setData(["n": 2], until: .stored)
        await #expect(throws: FirestoreError.self) { try await device.database.clearPersistence() }
        try await device.database.terminate()
        try await device.database.clearPersistence()
        let again = try device.reopened()
        #expect(try await again.collection("cities").getDocuments(source: .cache).isEmpty)
        #expect(try await again.collection("cities").getDocuments().text == "[SF=1]")
        try await again.terminate()
    }

    /// A copy of the data that healing has kept is a part of it.
    @Test func clearPersistenceLeavesNoCopies() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        try await device.database.terminate()
        let folder = URL(filePath: device.path).deletingLastPathComponent()
        for suffix in [".damaged", ".healing", ".healing-lock"] {
            try FileManager.default.copyItem(atPath: device.path, toPath: device.path + suffix)
        }
        try Data().write(to: folder.appending(path: "other"))
        try await device.database.clearPersistence()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other"])
    }

    /// What nobody can read any more is deleted as well.
    @Test(arguments: [false, true]) func clearPersistenceOfDamagedData(_ isHeaderLeft: Bool) async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let text = String(repeating: "hearth", count: 20_000)
        for id in 0..<20 { try await device.cities.document("\(id)").setData(["s": text], until: .stored) }
        try await device.database.terminate()
        var bytes = try Data(contentsOf: URL(filePath: device.path))
        let pages = 2..<bytes.count / 4096
        // Long values, as of queued writes, have pages of their own (P_OVERFLOW).
        for page in pages where !isHeaderLeft || bytes[page * 4096 + 10] == 4 {
            for offset in 0..<64 { bytes[page * 4096 + offset] ^= 0xFF }
        }
        try bytes.write(to: URL(filePath: device.path))
        let error = #expect(throws: EngineError.self) { try ReplicaHealing.heal(fileAt: device.path) }
        #expect(error?.status == .dataLoss)
        try await device.database.clearPersistence()
        #expect(!FileManager.default.fileExists(atPath: device.path))
        let again = try device.reopened()
        #expect(try await again.collection("cities").getDocuments().text == "[]")
        try await again.terminate()
    }

    @Test func clearPersistenceFollowsALink() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server)
        _ = try await device.cities.getDocuments()
        try await device.database.terminate()
        let folder = URL(filePath: device.path).deletingLastPathComponent()
        let elsewhere = folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
        for suffix in ["", "-lock"] {
            let target = elsewhere.appending(path: "data\(suffix)").path
            try FileManager.default.moveItem(atPath: device.path + suffix, toPath: target)
        }
        try FileManager.default.createSymbolicLink(
            atPath: device.path, withDestinationPath: elsewhere.appending(path: "data").path)
        try await device.database.clearPersistence()
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [])
    }

    /// The path may be wrong.
    @Test func clearPersistenceDeletesNoOtherDatabase() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        try await device.database.terminate()
        let local = try Sample()
        try await local.database.document("c/a").setData(["n": 1])
        try await local.database.terminate()
        for path in [local.path, device.path] {
            let database = DatabaseID(project: path == local.path ? "p" : "other")
            let remote = Remote(database: database, connect: { _ in FakeTransport(server: server, number: 0) })
            let other = Database(path: path, settings: Sample.settings.values.with(remote))
            await #expect(throws: FirestoreError.self) { try await other.clearPersistence() }
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func terminateEndsWhatWaits() async throws {
        let server = try FakeServer()
        server.change { $0.answersWrites = false }
        let device = try Device(server)
        let answers = Heard<String>()
        device.cities.document("SF").setData(["n": 1]) { answers.add(($0 as? FirestoreError).map { "\($0.status)" }) }
        device.database.waitForPendingWrites { answers.add(($0 as? FirestoreError).map { "\($0.status)" }) }
        try await device.database.terminate()
        #expect(try await answers.next(2, "an answer") == ["cancelled", "cancelled"])
        await #expect(throws: FirestoreError.self) { try await device.cities.document("LA").setData(["n": 1]) }
        await #expect(throws: FirestoreError.self) { _ = try await device.cities.getDocuments() }
    }

    /// Without `terminate`, the file is free when nobody refers to the database.
    @Test func releasedDatabases() async throws {
        let server = try FakeServer()
        let directory = try TemporaryDirectory()
        let path = directory.path("r.db")
        do {
            let database = try await Database.open(path: path, settings: Sample.settings, remote: server.remote)
            try await database.document("cities/SF").setData(["n": 1])
            database.document("cities/SF").setData(["n": 2], completion: nil)
        }
        try await wait(for: "the file to be free") {
            (try? Database.open(path: path, settings: Sample.settings, remote: server.remote)) != nil
        }
    }

    /// What would change documents without the server's knowledge.
    @Test func refusals() async throws {
        let server = try FakeServer()
        let device = try Device(server)
        let file = URL(filePath: "/dev/null")
        await #expect(throws: FirestoreError.self) { try await device.database.importDocuments(from: file) }
        await #expect(throws: FirestoreError.self) { try await device.cities.importDocuments(from: file) }
        await #expect(throws: FirestoreError.self) { try await device.database.deleteExpiredDocuments() }
        let user = device.database.asUser(.user("a"))
        await #expect(throws: FirestoreError.self) { _ = try await user.collection("cities").getDocuments() }
        await #expect(throws: FirestoreError.self) { _ = try await user.document("c/a").getDocument(source: .cache) }
        await #expect(throws: FirestoreError.self) { try await user.document("c/a").setData(["n": 1]) }
    }

    @Test func memoryCache() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let device = try Device(server, cache: MemoryCacheSettings())
        let heard = device.listen(to: device.cities)
        #expect(try await heard.next().map(\.text) == ["[SF=1]"])
        #expect(try await device.cities.getDocuments(source: .cache).text == "[SF=1]c")
        heard.remove()
        // Nothing needs the document any more (C-38).
        try await wait(for: "the document to be forgotten") {
            try await device.cities.getDocuments(source: .cache).isEmpty
        }
        #expect(!FileManager.default.fileExists(atPath: device.path))
    }
}
