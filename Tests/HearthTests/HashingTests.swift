// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// FirebaseFirestore's types are objects of Objective-C, so all of them may be in sets and keys of dictionaries.
@Suite struct HashingTests {
    private func isOne<T: Hashable>(_ values: T...) -> Bool { Set(values).count == 1 }
    private func areTwo<T: Hashable>(_ one: T, _ other: T) -> Bool { Set([one, other]).count == 2 }

    @Test func queriesAndResults() async throws {
        let sample = try Sample()
        let cities = sample.database.collection("cities")
        try await cities.document("SF").setData(["n": 1])
        let query = cities.whereField("n", isGreaterThan: 0)
        #expect(isOne(query, cities.whereField("n", isGreaterThan: 0)) && areTwo(query, cities))
        #expect(isOne(cities, sample.database.collection("cities")))
        #expect(areTwo(cities, cities.document("SF").collection("cities")))
        let (first, again) = (try await query.getDocuments(), try await query.getDocuments())
        #expect(isOne(first, again) && isOne(first.documents[0], again.documents[0]))
        #expect(isOne(first.documentChanges[0], again.documentChanges[0]))
        let one = try await cities.document("SF").getDocument()
        let missing = try await cities.document("LA").getDocument()
        #expect(isOne(one, first.documents[0]) && areTwo(one, missing))
        try await cities.document("SF").setData(["n": 2])
        let (changed, changedOne) = (try await query.getDocuments(), try await cities.document("SF").getDocument())
        #expect(areTwo(one, changedOne) && areTwo(first, changed))
    }

    @Test func aggregations() async throws {
        let sample = try Sample()
        let cities = sample.database.collection("cities")
        let sum = cities.aggregate([.sum("n"), .count()])
        #expect(isOne(sum, cities.aggregate([.sum("n"), .count()])) && areTwo(sum, cities.count))
        let first = try await sum.getAggregation(source: .server)
        let again = try await sum.getAggregation(source: .server)
        try await cities.document("SF").setData(["n": 1])
        let changed = try await sum.getAggregation(source: .server)
        #expect(isOne(first, again) && areTwo(first, changed))
    }

    @Test func filtersAndFieldValues() {
        let filter = Filter.orFilter([.whereField("a", isEqualTo: 1), .whereField("b", in: ["x"])])
        #expect(isOne(filter, .orFilter([.whereField("a", isEqualTo: 1), .whereField("b", in: ["x"])])))
        #expect(areTwo(filter, .orFilter([.whereField("a", isEqualTo: 1)])))
        let values: [FieldValue] = [
            .delete(), .serverTimestamp(), .increment(1), .increment(1.0), .increment(2), .maximum(1), .minimum(1),
            .arrayUnion([1]), .arrayUnion([1.0]), .arrayRemove([1]), .arrayUnion([[1]]),
        ]
        #expect(Set(values).count == values.count)
        #expect(isOne(.increment(1), FieldValue.increment(1)) && isOne(.arrayUnion([1]), FieldValue.arrayUnion([1])))
        #expect(isOne(.delete(), FieldValue.delete()))
        #expect("\(FieldValue.increment(1)) \(FieldValue.delete())" == "FieldValue.increment() FieldValue.delete()")
    }

    @Test func settings() {
        func settings(_ change: (FirestoreSettings) -> Void = { _ in }) -> FirestoreSettings {
            let settings = FirestoreSettings()
            change(settings)
            return settings
        }
        let queue = DispatchQueue(label: "one")
        let different = [
            settings { _ in }, settings { $0.cacheSettings = MemoryCacheSettings() }, settings { $0.host = "a:1" },
            settings { $0.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings()) },
            settings { $0.cacheSizeBytes = 2_000_000 }, settings { $0.isSSLEnabled = false },
            settings { $0.dispatchQueue = queue }, settings { $0.dispatchQueue = DispatchQueue(label: "one") },
            settings { $0.logHandler = { _, _ in } }, settings { $0.durability = .mayLoseDatabase },
        ]
        #expect(Set(different).count == different.count)
        #expect(isOne(settings(), settings { $0.dispatchQueue = .main }))
        #expect(isOne(settings { $0.dispatchQueue = queue }, settings { $0.dispatchQueue = queue }))
        #expect(isOne(PersistentCacheSettings(sizeBytes: 2_000_000), PersistentCacheSettings(sizeBytes: 2_000_000)))
        let options = SnapshotListenOptions()
        #expect(isOne(options, SnapshotListenOptions()) && areTwo(options, options.withSource(.cache)))
        #expect(isOne(TransactionOptions(), TransactionOptions()))
    }

    @Test func objects() async throws {
        let (one, other) = (try Sample(), try Sample())
        #expect(isOne(one.database, one.database) && areTwo(one.database, other.database))
        #expect(areTwo(one.database.batch(), one.database.batch()))
        let manager = try #require(one.database.persistentCacheIndexManager)
        #expect(isOne(manager, one.database.persistentCacheIndexManager))
        #expect(areTwo(manager, other.database.persistentCacheIndexManager))
        // In a closure, for the form that is not awaited.
        let load: () -> LoadBundleTask = { one.database.loadBundle(Data()) }
        #expect(areTwo(load(), load()))
        try await one.database.runTransaction { transaction in #expect(transaction == transaction) }
    }
}
