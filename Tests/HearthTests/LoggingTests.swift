// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// Synchronous, so that the write is not awaited.
private func failUnheard(_ database: Database) { database.document("a/b").updateData(["n": 1]) }

@Suite struct LoggingTests {
    /// Failures without a caller, and details for a reader of the log; nothing else.
    @Test func messages() async throws {
        let directory = try TemporaryDirectory()
        let settings = Sample.settings
        let messages = Mutex<[String]>([])
        settings.logHandler = { level, message in messages.withLock { $0.append("\(level): \(message)") } }
        let path = directory.path("a.db")
        let database = try await Database.open(path: path, settings: settings)
        failUnheard(database)
        database.document("a/b").updateData(["n": 1]) { _ in }
        await #expect(throws: FirestoreError.self) { try await database.document("a/b").updateData(["n": 1]) }
        try await database.setIndexConfiguration(#"{"indexes": []}"#)
        try await database.terminate()
        let name = "projects/hearth/databases/(default)/documents/a/b"
        #expect(
            messages.withLock { $0 } == [
                "debug: Opened the database at \(path)",
                "error: Write at a/b failed: No document to update: \(name)",
                "debug: Set 0 indexes and 0 field overrides",
                "debug: Terminated the database at \(path)",
            ])
    }

    /// Without a handler: only errors, unless logging is enabled.
    @Test func standardError() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let settings = FirestoreSettings()
            settings.cacheSettings = MemoryCacheSettings()
            let database = try await Database.open(path: "first", settings: settings)
            failUnheard(database)
            try await database.terminate()
            Firestore.enableLogging(true)
            _ = try await Database.open(path: "second", settings: settings)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Write at a/b failed: No document to update"))
        #expect(!text.contains("first") && text.contains("Opened the database at second"))
    }
}
