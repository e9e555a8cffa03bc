// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Listeners that start while their database is terminated.
@Suite(.timeLimit(.minutes(2))) struct TerminatedListenerTests {
    /// Listens to a collection at the hub itself.
    private func start(
        _ database: Database, at hub: ListenerHub, _ engine: Engine, _ heard: Heard<String>
    ) throws -> QueryListener {
        let target = try database.collection("cities").listenerTarget(engine)
        let listener = QueryListener(target) { event in
            switch event {
            case .rows(let rows, _): heard.add("\(rows.count)")
            case .failed(let error): heard.add("\(error)")
            case .ended: heard.add("ended")
            }
            return true
        }
        try database.queues.listeners.sync { try hub.start(listener) }
        return listener
    }

    @Test func aStoppedHubStartsNobody() throws {
        let database = try Sample().database
        let (engine, hub) = try database.engineAndHub()
        let heard = Heard<String>()
        let first = try start(database, at: hub, engine, heard)
        #expect(heard.take() == ["0"])
        hub.stop()
        #expect(heard.take() == ["ended"])
        let second = try start(database, at: hub, engine, heard)
        #expect(heard.take() == ["ended"])
        database.queues.listeners.sync { hub.addInSync(ObjectIdentifier(second)) { heard.add("in sync") } }
        try database.document("cities/a").sync.setData(["n": 1])
        database.queues.listeners.sync {}
        #expect(heard.take().isEmpty)
        _ = first
    }

    private static var memory: FirestoreSettings {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        return settings
    }

    /// A sequence that began before ends, whether or not the file was open, and does not throw.
    @Test func sequencesFromBeforeEnd() async throws {
        for number in 0..<Rounds.of(1_000) {
            let database = Database(path: "", settings: TerminatedListenerTests.memory.values)
            if number % 4 == 3 { _ = try database.engine() }
            var snapshots = database.collection("cities").snapshots.makeAsyncIterator()
            let failure = Mutex<(any Error)?>(nil)
            let calls = Heard<QuerySnapshot>()
            database.collection("towns").addSnapshotListener { snapshot, error in
                calls.add(snapshot)
                if let error { failure.withLock { $0 = error } }
            }
            // Beside the start of the listeners, or before it.
            if number % 2 == 0 { database.terminateJob().start { _ in } } else { try await database.terminate() }
            while let snapshot = try await snapshots.next() { #expect(snapshot.isEmpty) }
            try await database.terminate()
            database.queues.listeners.sync {}
            #expect(failure.withLock { $0 } == nil)
        }
    }

    /// Rows that are read while the hub stops do not take the place of the end.
    @Test func nothingComesAfterTheEnd() throws {
        let database = try Sample().database
        let query = database.collection("cities")
        let request = ListenerRequest(
            firestore: database, path: "cities", options: SnapshotListenOptions(),
            target: { engine throws(FirestoreError) in
                let target = try query.listenerTarget(engine)
                return ListenerTarget(
                    firestore: database, database: target.database, interest: target.interest, limit: nil,
                    isReversed: false, sortKey: target.sortKey,
                    run: { engine throws(QueryError) in
                        database.hub?.stop()
                        return try target.run(engine)
                    })
            },
            query: query.syncQuery, limit: 1)
        let listener = BufferedListener(request) { _ in }
        listener.start()
        database.queues.listeners.sync {}
        guard case .ended? = listener.take() else {
            Issue.record("the listener has not ended")
            return
        }
        if listener.take() != nil { Issue.record("something came after the end") }
    }
}
