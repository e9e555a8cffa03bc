// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import TestSupport
import Testing

@testable import Hearth

/// Offline data that was cut short, so that nobody can open it any more.
@Suite struct CutReplicaTests {
    private let server: FakeServer
    private let directory: TemporaryDirectory
    /// A copy, which no environment of this process can have open.
    private let path: String

    init() async throws {
        server = try FakeServer()
        let device = try Device(server)
        try await device.database.disableNetwork()
        let text = String(repeating: "hearth", count: 20_000)
        for id in 0..<20 { try await device.cities.document("\(id)").setData(["s": text], until: .stored) }
        try await device.database.terminate()
        directory = try TemporaryDirectory()
        path = directory.path("cut.db")
        for suffix in ["", "-lock"] {
            try FileManager.default.copyItem(atPath: device.path + suffix, toPath: path + suffix)
        }
    }

    /// Keeps a part of the file, in whole pages.
    private func cut(toPercent percent: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let size = try file.seekToEnd()
        try file.truncate(atOffset: size * UInt64(percent) / 100 / 4096 * 4096)
        try file.close()
        #expect(throws: FirestoreError.self) { try reopened() }
    }

    private func reopened() throws -> Database {
        try Database.open(path: path, settings: Sample.settings, remote: server.remote)
    }

    /// A database object on the file, which it has not opened.
    private func database(of project: Text) -> Database {
        let remote = Remote(
            database: DatabaseID(project: project), connect: { [server] _ in FakeTransport(server: server, number: 0) })
        return Database(path: path, settings: Sample.settings.values.with(remote))
    }

    @Test(arguments: [0, 50, 90]) func clearPersistenceDeletesTheRest(_ percent: Int) async throws {
        try cut(toPercent: percent)
        try await database(of: FakeServer.database.project).clearPersistence()
        let folder = URL(filePath: path).deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        let again = try reopened()
        #expect(try await again.collection("cities").getDocuments().text == "[]")
        try await again.terminate()
    }

    /// After a crash between the two, what is left must tell what it is.
    @Test func anEmptyFileIsDeletedBeforeItsLockFile() throws {
        let names = { Database.deletedFiles(of: path).map { URL(filePath: $0).lastPathComponent } }
        #expect(names() == ["cut.db-lock", "cut.db"])
        try cut(toPercent: 0)
        #expect(names() == ["cut.db", "cut.db-lock"])
    }

    /// Another database may have been at the path.
    @Test func clearPersistenceSparesCopiesOfAnotherDatabase() async throws {
        var other = try Data(contentsOf: URL(filePath: path))
        try other.write(to: URL(filePath: path + ".healing"))
        let project = FakeServer.database.project.string
        let (name, another) = (Data("\"\(project)\"".utf8), Data("\"\(project.uppercased())\"".utf8))
        while let place = other.range(of: name) { other.replaceSubrange(place, with: another) }
        try other.write(to: URL(filePath: path + ".damaged"))
        try cut(toPercent: 0)
        try await database(of: FakeServer.database.project).clearPersistence()
        let folder = URL(filePath: path).deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cut.db.damaged"])
    }

    /// What cannot be recognised stays, and so does what may be recognised as another database's.
    @Test func clearPersistenceSparesWhatItDoesNotKnow() async throws {
        try cut(toPercent: 90)
        let other = database(of: "other")
        await #expect(throws: FirestoreError.self) { try await other.clearPersistence() }
        #expect(FileManager.default.fileExists(atPath: path))
        try cut(toPercent: 0)
        try FileManager.default.removeItem(atPath: path + "-lock")
        let own = database(of: FakeServer.database.project)
        await #expect(throws: FirestoreError.self) { try await own.clearPersistence() }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
