// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// The guides on setup and on offline data, each in its own process, because a process has one default database.
@Suite struct SetupGuide {
    @Test func theDefaultDatabase() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            setenv("HEARTH_DATABASE", folder.appending(path: "default.db").path, 1)

            let db = Firestore.firestore()
            try await db.collection("users").addDocument(data: ["first": "Ada", "last": "Lovelace", "born": 1815])
            #expect(try await Firestore.firestore().collection("users").getDocuments().count == 1)
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "default.db").path))
            try await db.terminate()
        }
    }

    @Test func cacheSettings() async {
        await #expect(processExitsWith: .success) {
            let settings = FirestoreSettings()
            settings.cacheSettings = PersistentCacheSettings(sizeBytes: 100 * 1_024 * 1_024 as NSNumber)
            settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings())
            let db = Firestore.firestore()
            db.settings = settings
            db.useEmulator(withHost: "127.0.0.1", port: 8_080)
            try await db.document("cities/SF").setData(["name": "San Francisco"])
            #expect(try await db.document("cities/SF").getDocument(source: .cache).exists)
            // The current directory has no new file.
            #expect(!FileManager.default.fileExists(atPath: "hearth.db"))
        }
    }
}
