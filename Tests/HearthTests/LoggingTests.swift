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

    /// What a handler is told of would wait for a handler that waited for the end.
    @Test(.timeLimit(.minutes(1))) func aHandlerEndsTheDatabaseWithoutWaiting() async throws {
        let directory = try TemporaryDirectory()
        let settings = Sample.settings
        settings.dispatchQueue = DispatchQueue(label: "callbacks")
        let subject = Mutex<Database?>(nil)
        let refusals = Mutex<[FirestoreErrorCode.Code?]>([])
        let hasEnded = Atomic(false)
        settings.logHandler = { level, _ in
            guard let database = subject.withLock({ $0 }) else { return }
            do { try database.sync.terminate() } catch {
                refusals.withLock { $0.append((error as? FirestoreError)?.status) }
            }
            do {
                if level == .error { try database.document("a/c").sync.setData(["a": 1]) }
            } catch {
                refusals.withLock { $0.append((error as? FirestoreError)?.status) }
            }
            if level == .error { database.terminate { _ in hasEnded.store(true, ordering: .releasing) } }
        }
        let database = try await Database.open(path: directory.path("a.db"), settings: settings)
        subject.withLock { $0 = database }
        failUnheard(database)
        try await wait(for: "the end") { hasEnded.load(ordering: .acquiring) }
        subject.withLock { $0 = nil }
        // Two of the failed write, and one of the end.
        #expect(refusals.withLock { $0 } == [.failedPrecondition, .failedPrecondition, .failedPrecondition])
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
