// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// The program stops and says why, in optimized builds too.
@Suite struct MisuseTests {
    @Test func settingsAreFixedOnceUsed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let database = try temporaryDatabase()
            database.settings = FirestoreSettings()
        }
        expect(result, says: "Firestore instance has already been started and its settings can no longer be changed.")
    }

    /// As by FirebaseFirestore. Much code sets the settings in every place that uses the database.
    @Test func equalSettingsAreAccepted() async {
        await #expect(processExitsWith: .success) {
            let database = try temporaryDatabase { $0.logHandler = { _, _ in } }
            try await database.document("a/b").setData(["n": 1])
            let settings = database.settings
            settings.isPersistenceEnabled = false
            settings.dispatchQueue = .main
            database.settings = settings
            #expect(try await database.document("a/b").getDocument().exists)
        }
    }

    @Test func emulatorOnceUsed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let database = try temporaryDatabase { $0.remote = try FakeServer().remote }
            database.useEmulator(withHost: "127.0.0.1", port: 1)
        }
        expect(result, says: "useEmulator(withHost:port:) was called after the database had been used: call it first.")
    }

    @Test func rulesOfAUser() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try temporaryDatabase().asUser(.signedOut).securityRules = nil
        }
        expect(result, says: "Only the administrator sets securityRules: use the database without asUser(_:).")
    }

    @Test func metadataChangesNotAskedFor() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let database = try temporaryDatabase { $0.remote = try FakeServer().remote }
            for try await snapshot in database.collection("cities").snapshots {
                _ = snapshot.documentChanges(includeMetadataChanges: true)
                break
            }
        }
        expect(result, says: "you must call addSnapshotListener(includeMetadataChanges:true).")
    }

    @Test func countNotAskedFor() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let sum = try temporaryDatabase().collection("cities").aggregate([.sum("n")])
            _ = try await sum.getAggregation(source: .server).count
        }
        expect(result, says: "add AggregateField.count()")
    }

    private func expect(_ result: ExitTest.Result?, says text: String) {
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains(text), "\(said)")
    }
}

/// Not asynchronous, so that the form of `open` is the blocking one.
private func temporaryDatabase(_ change: (FirestoreSettings) throws -> Void = { _ in }) throws -> Database {
    let settings = FirestoreSettings()
    settings.cacheSettings = MemoryCacheSettings()
    try change(settings)
    return try Database.open(path: FileManager.default.temporaryDirectory.path, settings: settings)
}
