// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Observation
import Testing

@Suite struct ListeningSymbols {
    private let db: Firestore
    private let cities: CollectionReference
    private let city: DocumentReference

    init() throws {
        db = try emptyDatabase()
        cities = db.collection("cities")
        city = cities.document("SF")
    }

    @Test func documents() async throws {
        try await city.setData(["n": 1])
        // SnapshotListenOptions
        // SnapshotListenOptions.init()
        var options: SnapshotListenOptions = SnapshotListenOptions()
        // SnapshotListenOptions.withIncludeMetadataChanges(_:)
        options = options.withIncludeMetadataChanges(true)
        // SnapshotListenOptions.includeMetadataChanges
        #expect(options.includeMetadataChanges)
        // ListenSource
        let source: ListenSource
        // ListenSource.cache
        source = .cache
        // SnapshotListenOptions.withSource(_:)
        options = options.withSource(source)
        // SnapshotListenOptions.source
        // ListenSource.default
        #expect(options.source == source && source != .default)
        await finished { done in
            // DocumentReference.addSnapshotListener(_:)
            city.addSnapshotListener { document, error in
                #expect(document?["n"] as? Int == 1 && error == nil)
                done()
            }
        }
        await finished { done in
            // DocumentReference.addSnapshotListener(includeMetadataChanges:listener:)
            city.addSnapshotListener(includeMetadataChanges: true) { document, error in
                #expect(document?["n"] as? Int == 1 && error == nil)
                done()
            }
        }
        let chosen = options
        await finished { done in
            // DocumentReference.addSnapshotListener(options:listener:)
            city.addSnapshotListener(options: chosen) { document, error in
                #expect(document?["n"] as? Int == 1 && error == nil)
                done()
            }
        }
        // DocumentReference.snapshots
        for try await document in city.snapshots {
            #expect(document["n"] as? Int == 1)
            break
        }
        // DocumentReference.snapshots(includeMetadataChanges:)
        for try await document in city.snapshots(includeMetadataChanges: true) {
            #expect(document["n"] as? Int == 1)
            break
        }
    }

    @Test func queries() async throws {
        try await city.setData(["n": 1])
        let options = SnapshotListenOptions()
        await finished { done in
            // Query.addSnapshotListener(_:)
            // ListenerRegistration
            let registration: any ListenerRegistration = cities.addSnapshotListener { snapshot, error in
                #expect(snapshot?.count == 1 && error == nil)
                done()
            }
            _ = registration
        }
        await finished { done in
            // Query.addSnapshotListener(includeMetadataChanges:listener:)
            cities.addSnapshotListener(includeMetadataChanges: true) { snapshot, error in
                #expect(snapshot?.count == 1 && error == nil)
                done()
            }
        }
        await finished { done in
            // Query.addSnapshotListener(options:listener:)
            let registration = cities.addSnapshotListener(options: options) { snapshot, error in
                #expect(snapshot?.count == 1 && error == nil)
                done()
            }
            _ = registration
        }
        let registration = cities.addSnapshotListener { _, _ in }
        // ListenerRegistration.remove()
        registration.remove()
        // Query.snapshots
        for try await snapshot in cities.snapshots {
            #expect(snapshot.count == 1)
            break
        }
        // Query.snapshots(includeMetadataChanges:)
        for try await snapshot in cities.snapshots(includeMetadataChanges: false) {
            #expect(snapshot.count == 1)
            break
        }
    }

    @Test func changes() async throws {
        try await city.setData(["n": 1])
        var snapshots = cities.snapshots.makeAsyncIterator()
        let first = try #require(try await snapshots.next())
        // QuerySnapshot.documentChanges
        let changes: [DocumentChange] = first.documentChanges
        // DocumentChange
        let added: DocumentChange = try #require(changes.first)
        // DocumentChange.type
        // DocumentChangeType
        let type: DocumentChangeType = added.type
        // DocumentChangeType.added
        #expect(type == .added)
        // DocumentChange.document
        #expect(added.document.documentID == "SF")
        // DocumentChange.oldIndex
        #expect(added.oldIndex == UInt(NSNotFound))
        // DocumentChange.newIndex
        #expect(added.newIndex == 0)
        try await city.updateData(["n": 2])
        // QuerySnapshot.documentChanges(includeMetadataChanges:)
        let second = try await snapshots.next()?.documentChanges(includeMetadataChanges: true)
        // DocumentChangeType.modified
        #expect(second?.map(\.type) == [DocumentChangeType.modified])
        try await city.delete()
        let third = try await snapshots.next()?.documentChanges
        // DocumentChangeType.removed
        #expect(third?.map(\.type) == [DocumentChangeType.removed])
    }

    @Test func switches() async throws {
        // Firestore.enableNetwork() async
        try await db.enableNetwork()
        // Firestore.disableNetwork() async
        try await db.disableNetwork()
        // Firestore.waitForPendingWrites() async
        try await db.waitForPendingWrites()
        let check: @Sendable ((any Error)?) -> Void = { error in #expect(error == nil) }
        // Firestore.enableNetwork(completion:)
        db.enableNetwork { error in check(error) }
        // Firestore.disableNetwork(completion:)
        db.disableNetwork(completion: check)
        await finished { done in
            // Firestore.waitForPendingWrites(completion:)
            db.waitForPendingWrites { error in
                check(error)
                done()
            }
        }
        // Firestore.addSnapshotsInSyncListener(_:)
        let registration = db.addSnapshotsInSyncListener {}
        registration.remove()
        // PersistentCacheIndexManager
        // Firestore.persistentCacheIndexManager
        let manager: PersistentCacheIndexManager? = db.persistentCacheIndexManager
        #expect(manager == nil)
        // PersistentCacheIndexManager.enableIndexAutoCreation()
        manager?.enableIndexAutoCreation()
        // PersistentCacheIndexManager.disableIndexAutoCreation()
        manager?.disableIndexAutoCreation()
        // PersistentCacheIndexManager.deleteAllIndexes()
        manager?.deleteAllIndexes()
        try await db.terminate()
        // Firestore.clearPersistence() async
        try await db.clearPersistence()
        await finished { done in
            // Firestore.clearPersistence(completion:)
            db.clearPersistence { error in
                check(error)
                done()
            }
        }
    }

    struct City: Codable, Sendable {
        var n: Int
    }

    /// The first result of a live query with these predicates.
    @MainActor private func numbers(_ predicates: [QueryPredicate]) async -> [Int] {
        let live = LiveQuery<City>(cities, predicates: predicates)
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            let isThere = withObservationTracking {
                !live.items.isEmpty || live.error != nil
            } onChange: {
                continuation.yield()
            }
            if isThere { return live.items.map(\.n) }
            for await _ in changes { break }
        }
    }

    @Test func predicates() async throws {
        for n in 1...4 { try await cities.document("\(n)").setData(["n": n, "list": [n]]) }
        var predicate: QueryPredicate
        // QueryPredicate.whereField(_:isEqualTo:)
        predicate = .whereField("n", isEqualTo: 2)
        #expect(await numbers([predicate]) == [2])
        // QueryPredicate.whereField(_:isIn:)
        predicate = .whereField("n", isIn: [1, 3])
        #expect(await numbers([predicate]) == [1, 3])
        // QueryPredicate.whereField(_:isNotIn:)
        predicate = .whereField("n", isNotIn: [1, 3])
        #expect(await numbers([predicate]) == [2, 4])
        // QueryPredicate.whereField(_:arrayContains:)
        predicate = .whereField("list", arrayContains: 2)
        #expect(await numbers([predicate]) == [2])
        // QueryPredicate.whereField(_:arrayContainsAny:)
        predicate = .whereField("list", arrayContainsAny: [2, 3])
        #expect(await numbers([predicate]) == [2, 3])
        // QueryPredicate.whereField(_:isLessThan:)
        predicate = .whereField("n", isLessThan: 2)
        #expect(await numbers([predicate]) == [1])
        // QueryPredicate.whereField(_:isGreaterThan:)
        predicate = .whereField("n", isGreaterThan: 3)
        #expect(await numbers([predicate]) == [4])
        // QueryPredicate.whereField(_:isLessThanOrEqualTo:)
        predicate = .whereField("n", isLessThanOrEqualTo: 2)
        #expect(await numbers([predicate]) == [1, 2])
        // QueryPredicate.whereField(_:isGreaterThanOrEqualTo:)
        predicate = .whereField("n", isGreaterThanOrEqualTo: 3)
        #expect(await numbers([predicate]) == [3, 4])
        // QueryPredicate.where(_:isEqualTo:)
        predicate = .where("n", isEqualTo: 2)
        #expect(await numbers([predicate]) == [2])
        // QueryPredicate.where(_:isIn:)
        predicate = .where("n", isIn: [1, 3])
        #expect(await numbers([predicate]) == [1, 3])
        // QueryPredicate.where(_:isNotIn:)
        predicate = .where("n", isNotIn: [1, 3])
        #expect(await numbers([predicate]) == [2, 4])
        // QueryPredicate.where(_:arrayContains:)
        predicate = .where("list", arrayContains: 2)
        #expect(await numbers([predicate]) == [2])
        // QueryPredicate.where(_:arrayContainsAny:)
        predicate = .where("list", arrayContainsAny: [2, 3])
        #expect(await numbers([predicate]) == [2, 3])
        // QueryPredicate.where(_:isLessThan:)
        predicate = .where("n", isLessThan: 2)
        #expect(await numbers([predicate]) == [1])
        // QueryPredicate.where(_:isGreaterThan:)
        predicate = .where("n", isGreaterThan: 3)
        #expect(await numbers([predicate]) == [4])
        // QueryPredicate.where(_:isLessThanOrEqualTo:)
        predicate = .where("n", isLessThanOrEqualTo: 2)
        #expect(await numbers([predicate]) == [1, 2])
        // QueryPredicate.where(_:isGreaterThanOrEqualTo:)
        predicate = .where("n", isGreaterThanOrEqualTo: 3)
        #expect(await numbers([predicate]) == [3, 4])
        // QueryPredicate
        // QueryPredicate.order(by:descending:)
        let descending: QueryPredicate = .order(by: "n", descending: true)
        #expect(await numbers([descending]) == [4, 3, 2, 1])
        // QueryPredicate.limit(to:)
        predicate = .limit(to: 2)
        #expect(await numbers([descending, predicate]) == [4, 3])
        // QueryPredicate.limit(toLast:)
        predicate = .limit(toLast: 1)
        #expect(await numbers([.order(by: "n"), predicate]) == [4])
        // DecodingFailureStrategy
        var strategy: DecodingFailureStrategy
        // DecodingFailureStrategy.ignore
        strategy = .ignore
        #expect(strategy == .ignore)
        // DecodingFailureStrategy.raise
        strategy = .raise
        #expect(strategy == .raise)
    }
}
