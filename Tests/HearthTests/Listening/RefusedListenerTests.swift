// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import TestSupport
import Testing

/// C-30: an error is reported once and ends the listener.
@Suite struct RefusedListenerTests {
    private let audience: Audience
    private var refused: Query {
        audience.cities.whereField("state", isEqualTo: "CA").order(by: "population")
    }
    private static let indexes = """
        {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "ASCENDING"}]}]}
        """

    init() throws {
        audience = try Audience()
    }

    @Test func aMissingIndexIsTold() throws {
        let heard = audience.listen(to: refused)
        let errors = heard.errors.withLock { $0 }
        #expect(errors.map(\.status) == [.failedPrecondition])
        #expect(errors.first?.missingIndex != nil)
        let message = "Listen for query at cities failed: The query requires an index."
        let messages = audience.log.take()
        #expect(messages.count == 1 && messages.first?.hasPrefix(message) == true, "\(messages)")
        try audience.database.sync.setIndexConfiguration(Self.indexes)
        try audience.cities.document("a").sync.setData(["state": "CA", "population": 1])
        audience.settle()
        #expect(heard.take().isEmpty && heard.errors.withLock { $0.count } == 1)
        #expect(audience.listen(to: refused).take().map(\.count) == [1])
    }

    @Test func anInvalidQueryAndPathAreTold() throws {
        let queries = [
            audience.cities.whereField("a", in: []), audience.database.collection("a/b"),
            audience.cities.order(by: "a").start(at: [1, 2]),
        ]
        for query in queries {
            let heard = audience.listen(to: query)
            #expect(heard.errors.withLock { $0.map(\.status) } == [.invalidArgument] && heard.take().isEmpty)
        }
        let heard = Heard<DocumentSnapshot>()
        audience.database.document("a").addSnapshotListener { heard.add($0, $1) }
        audience.settle()
        #expect(heard.errors.withLock { $0.map(\.status) } == [.invalidArgument])
        #expect(audience.log.take().count == 4)
    }

    @Test func aDroppedIndexEndsItsListeners() throws {
        try audience.database.sync.setIndexConfiguration(Self.indexes)
        let heard = audience.listen(to: refused)
        let other = audience.listen(to: audience.cities)
        #expect(heard.take().count == 1 && other.take().count == 1)
        try audience.database.sync.setIndexConfiguration(#"{"indexes": []}"#)
        audience.settle()
        #expect(heard.errors.withLock { $0.count } == 1 && heard.take().isEmpty)
        try audience.cities.document("a").sync.setData([:])
        audience.settle()
        #expect(other.take().count == 1 && other.errors.withLock { $0.isEmpty })
    }

    @Test func asSequencesThrow() async throws {
        await #expect(throws: FirestoreError.self) {
            for try await _ in refused.snapshots {}
        }
        var snapshots = refused.snapshots.makeAsyncIterator()
        await #expect(throws: FirestoreError.self) { try await snapshots.next() }
        #expect(try await snapshots.next() == nil)
    }

    /// Without a log handler.
    @Test func refusalsAreSaidOnStandardError() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let directory = try TemporaryDirectory()
            let database = try await Database.open(path: directory.path("a.db"), settings: Sample.settings)
            let query = database.collection("cities").whereField("a", isEqualTo: 1).order(by: "b")
            await withCheckedContinuation { continuation in
                query.addSnapshotListener { _, _ in continuation.resume() }
            }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("Listen for query at cities failed: The query requires an index."), "\(said)")
    }
}
