// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import Foundation
import SyncCore
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// FirebaseFirestore's settings of a server, on a database that is opened on first use as `Firestore.firestore()` is.
@Suite struct RemoteSettingsTests {
    /// The addresses at which a remote was asked for.
    private final class Addresses: Sendable {
        let all = Mutex<[String]>([])

        func note(_ address: ServerAddress?) {
            all.withLock { $0.append(address.map { "\($0.host) \($0.isSSLEnabled)" } ?? "the remote's own") }
        }
    }

    private func database(
        _ server: FakeServer, _ addresses: Addresses, in directory: TemporaryDirectory,
        _ change: (FirestoreSettings) -> Void = { _ in }
    ) -> Database {
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        settings.remote = Remote(database: FakeServer.database) { address in
            addresses.note(address)
            return try server.remote.connect(nil)
        }
        change(settings)
        let database = Database(path: directory.path("app.db"), settings: FirestoreSettings().values)
        database.settings = settings
        return database
    }

    @Test func remoteOfSettings() async throws {
        let server = try FakeServer()
        try server.set("cities/SF", .n(1))
        let directory = try TemporaryDirectory()
        let addresses = Addresses()
        let database = database(server, addresses, in: directory)
        #expect(try await database.document("cities/SF").getDocument(source: .server).text == "1")
        #expect(database.settings.remote != nil && database.settings.host == "firestore.googleapis.com")
        #expect(addresses.all.withLock { $0 } == ["the remote's own"])
        try await database.terminate()
    }

    @Test func hostOfSettings() async throws {
        let server = try FakeServer()
        let directory = try TemporaryDirectory()
        let addresses = Addresses()
        for isSSLEnabled in [true, false] {
            let database = database(server, addresses, in: directory) { settings in
                settings.host = "127.0.0.1:8080"
                settings.isSSLEnabled = isSSLEnabled
            }
            _ = try await database.collection("cities").getDocuments(source: .server)
            try await database.terminate()
        }
        #expect(addresses.all.withLock { $0 } == ["127.0.0.1:8080 true", "127.0.0.1:8080 false"])
    }

    @Test(arguments: [("localhost", "localhost:9"), ("::1", "[::1]:9")])
    func emulator(_ host: String, _ address: String) async throws {
        let server = try FakeServer()
        let directory = try TemporaryDirectory()
        let addresses = Addresses()
        let database = database(server, addresses, in: directory)
        database.useEmulator(withHost: host, port: 9)
        _ = try await database.collection("cities").getDocuments(source: .server)
        #expect(addresses.all.withLock { $0 } == ["\(address) false"])
        try await database.terminate()
    }

    /// As before, it is no error where there is no server.
    @Test func emulatorWithoutRemote() async throws {
        let directory = try TemporaryDirectory()
        let database = try await Database.open(path: directory.path("plain.db"))
        database.useEmulator(withHost: "localhost", port: 8080)
        #expect(try await database.collection("c").getDocuments().isEmpty)
        #expect(database.settings.host == "firestore.googleapis.com")
        try await database.terminate()
    }
}
