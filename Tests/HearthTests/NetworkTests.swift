// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// FirebaseFirestore's calls about a server do what makes sense locally.
@Suite struct NetworkTests {
    /// C-35, C-36.
    @Test func networkAndPendingWrites() async throws {
        let database = try Sample().database
        try await database.disableNetwork()
        let document = database.document("a/b")
        for number in 0..<100 { document.setData(["n": number], completion: nil) }
        document.updateData(["n.": 1]) { _ in }
        try await database.waitForPendingWrites()
        #expect(try await document.getDocument()["n"] as? Int == 99)
        try await database.enableNetwork()
        let finished = Mutex(0)
        await withCheckedContinuation { continuation in
            database.disableNetwork { error in finished.withLock { $0 += error == nil ? 1 : 0 } }
            database.enableNetwork { error in finished.withLock { $0 += error == nil ? 1 : 0 } }
            database.waitForPendingWrites { error in
                finished.withLock { $0 += error == nil ? 1 : 0 }
                database.enableNetwork { _ in continuation.resume() }
            }
        }
        #expect(finished.withLock { $0 } == 3)
    }

    /// They are told in the order in which they were called, as FirebaseFirestore's one queue does. The queue of reads, whose
    /// threads answer in any order, has no part in it.
    @Test func networkCallsInOrder() async throws {
        let database = try Sample().database
        let told = Mutex<[Int]>([])
        database.queues.reads.suspend()
        defer { database.queues.reads.resume() }
        for call in 0..<2_000 {
            let completion: @Sendable ((any Error)?) -> Void = { _ in told.withLock { $0.append(call) } }
            if call.isMultiple(of: 2) {
                database.disableNetwork(completion: completion)
            } else {
                database.enableNetwork(completion: completion)
            }
        }
        database.waitForPendingWrites { _ in told.withLock { $0.append(2_000) } }
        try await wait(for: "all answers") { told.withLock { $0.count } == 2_001 }
        #expect(told.withLock { $0 } == Array(0...2_000))
    }

    /// C-37.
    @Test func clearPersistence() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.db")
        let database = try await Database.open(path: path, settings: Sample.settings)
        let indexes = """
            {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
            """
        try await database.setIndexConfiguration(indexes)
        let batch = database.batch()
        for number in 0..<1_500 {
            let collection = database.collection(number % 2 == 0 ? "c" : "x/y/c")
            batch.setData(
                ["a": 1, "b": String(repeating: "b", count: 600)], forDocument: collection.document("\(number)"))
        }
        try await batch.commit()
        do {
            try await database.clearPersistence()
            Issue.record("a database in use was emptied")
        } catch let error as NSError {
            #expect(error.code == FirestoreErrorCode.failedPrecondition.rawValue)
            #expect(error.localizedDescription.hasPrefix("Persistence cannot be cleared"))
        }
        try await database.terminate()
        try await database.clearPersistence()
        let again = try await Database.open(path: path, settings: Sample.settings)
        #expect(try await again.collectionGroup("c").getDocuments().isEmpty)
        let query = again.collection("c").whereField("a", isEqualTo: 1).order(by: "b")
        #expect(try await query.getDocuments().isEmpty, "index definitions stay")
        try await again.document("c/1").setData(["a": 1, "b": 1])
        #expect(try await query.getDocuments().count == 1)
    }

    /// C-39.
    @Test func indexManager() async throws {
        let sample = try Sample()
        let manager = try #require(sample.database.persistentCacheIndexManager)
        manager.enableIndexAutoCreation()
        manager.disableIndexAutoCreation()
        manager.deleteAllIndexes()
        try await sample.database.document("c/1").setData(["a": 1])
        #expect(try await sample.database.collection("c").whereField("a", isEqualTo: 1).getDocuments().count == 1)
        let settings = Sample.settings
        settings.cacheSettings = MemoryCacheSettings()
        let memory = try await Database.open(path: "nowhere", settings: settings)
        #expect(memory.persistentCacheIndexManager == nil)
        #expect(!FileManager.default.fileExists(atPath: "nowhere"))
    }
}
