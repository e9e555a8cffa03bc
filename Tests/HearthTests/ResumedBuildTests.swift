// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentModel
import Foundation
import Hearth
import IndexCatalog
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import DocumentEngine

/// Changes of indexes that other programs make, or left unfinished.
@Suite(.timeLimit(.minutes(5))) struct ResumedBuildTests {
    private let folder: TemporaryDirectory
    private let path: String
    private static let indexes = """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
        """

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("test.db")
        let database = try Database.open(path: path)
        try database.sync.setIndexConfiguration(Self.indexes)
        try database.document("c/a").sync.setData(["a": 1, "b": 1])
        try database.sync.terminate()
    }

    /// Drops the index as a program that is killed before it has removed the entries.
    private func drop(_ engine: Engine) throws {
        let composite = try #require(try engine.catalog().composites.first)
        try engine.scheduler.storage.write { (transaction) throws(EngineError) in
            try CatalogRecords.drop(composite, &transaction)
            _ = try Counter(.catalogVersion).next(&transaction)
        }
        #expect(try engine.hasUnfinishedBuild())
    }

    /// Nothing is left to build then, but entries of the dropped index are still there.
    @Test func openingContinuesARemovalThatWasKilled() async throws {
        do { try drop(Engine.open(path)) }
        let opened = try await Database.open(path: path)
        #expect(try await opened.document("c/a").getDocument().exists)
        let engine = try Engine.open(path)
        try await wait(for: "the end of the removal") { try !engine.hasUnfinishedBuild() }
    }

    /// Writes, reads and the end of the database do not wait for indexes that another program builds.
    @Test func othersBuildsDelayNobody() async throws {
        let engine = try Engine.open(path)
        let (isBuilding, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let group = DispatchGroup()
        group.enter()
        Thread.detachNewThread {
            let override = FieldOverride(collectionGroup: "c", path: "a", indexes: [])
            var isFirst = true
            try? engine.apply(IndexConfiguration(fieldOverrides: [override]), prune: false) { _ in
                guard isFirst else { return }
                isFirst = false
                isBuilding.signal()
                isFree.wait()
            }
            group.leave()
        }
        await whenSignaled(isBuilding)
        let opened = try await Database.open(path: path)
        let steps = Mutex<[String]>([])
        let calls = Task {
            try await opened.document("c/b").setData(["a": 2])
            try await opened.waitForPendingWrites()
            steps.withLock { $0.append("waited") }
            opened.waitForPendingWrites { _ in steps.withLock { $0.append("called") } }
            #expect(try await opened.document("c/b").getDocument().exists)
            steps.withLock { $0.append("read") }
            try await opened.terminate()
            steps.withLock { $0.append("terminated") }
        }
        do {
            defer { isFree.signal() }
            try await wait(for: "the calls") { steps.withLock { Set($0).isSuperset(of: ["called", "terminated"]) } }
            #expect(try engine.hasUnfinishedBuild())
        }
        try await calls.value
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(try !engine.hasUnfinishedBuild())
    }

    /// Blocks no thread that other tests share.
    private func whenSignaled(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
