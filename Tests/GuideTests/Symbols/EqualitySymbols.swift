// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct EqualitySymbols {
    @Test func values() {
        let seven = Timestamp(seconds: 7, nanoseconds: 0)
        // Timestamp.isEqual(_:)
        #expect(seven.isEqual(Timestamp(seconds: 7, nanoseconds: 0)) && !seven.isEqual(Timestamp()))
        let origin = GeoPoint(latitude: 0, longitude: 0)
        // GeoPoint.isEqual(_:)
        #expect(origin.isEqual(GeoPoint(latitude: 0, longitude: 0)) && !origin.isEqual(seven))
        // VectorValue.isEqual(_:)
        #expect(VectorValue([1]).isEqual(VectorValue([1])) && !VectorValue([1]).isEqual(VectorValue([2])))
        // FieldPath.isEqual(_:)
        #expect(FieldPath(["a"]).isEqual(FieldPath(["a"])) && !FieldPath(["a"]).isEqual("a"))
        // AggregateField.isEqual(_:)
        #expect(AggregateField.count().isEqual(AggregateField.count()) && !AggregateField.count().isEqual(nil))
    }

    @Test func fieldValuesAndSettings() {
        // FieldValue.isEqual(_:)
        #expect(FieldValue.increment(1).isEqual(FieldValue.increment(1)) && !FieldValue.delete().isEqual(nil))
        // FirestoreSettings.isEqual(_:)
        #expect(FirestoreSettings().isEqual(FirestoreSettings()))
        // PersistentCacheSettings.isEqual(_:)
        #expect(PersistentCacheSettings().isEqual(PersistentCacheSettings()))
        // MemoryCacheSettings.isEqual(_:)
        #expect(!MemoryCacheSettings().isEqual(PersistentCacheSettings()))
        // MemoryEagerGCSetting.isEqual(_:)
        #expect(MemoryEagerGCSetting().isEqual(MemoryEagerGCSetting()))
        // MemoryLRUGCSettings.isEqual(_:)
        #expect(!MemoryLRUGCSettings().isEqual(MemoryLRUGCSettings(sizeBytes: 2_000_000)))
        // TransactionOptions.isEqual(_:)
        #expect(TransactionOptions().isEqual(TransactionOptions()))
    }

    @Test func aggregations() async throws {
        let cities = try emptyDatabase().collection("cities")
        // AggregateQuery.isEqual(_:)
        #expect(cities.count.isEqual(cities.count) && !cities.count.isEqual(cities))
        let (first, again) = (
            try await cities.count.getAggregation(source: .server),
            try await cities.count.getAggregation(source: .server)
        )
        // AggregateQuerySnapshot.isEqual(_:)
        #expect(first.isEqual(again))
    }

    @Test func placesAndSnapshots() async throws {
        let database = try emptyDatabase()
        let cities = database.collection("cities")
        let tokyo = cities.document("TOK")
        // DocumentReference.isEqual(_:)
        #expect(tokyo.isEqual(database.document("cities/TOK")) && !tokyo.isEqual(cities.document("LA")))
        // Query.isEqual(_:)
        #expect(cities.limit(to: 1).isEqual(cities.limit(to: 1)) && !cities.limit(to: 1).isEqual(cities))
        try await tokyo.setData(["n": 1])
        let first = try await tokyo.getDocument()
        let all = try await cities.getDocuments()
        let (again, allAgain) = (try await tokyo.getDocument(), try await cities.getDocuments())
        // DocumentSnapshot.isEqual(_:)
        #expect(first.isEqual(again) && !first.isEqual(nil))
        // QuerySnapshot.isEqual(_:)
        #expect(all.isEqual(allAgain))
        // SnapshotMetadata.isEqual(_:)
        #expect(first.metadata.isEqual(all.metadata))
        // DocumentChange.isEqual(_:)
        #expect(all.documentChanges[0].isEqual(all.documentChanges[0]))
        try await tokyo.setData(["n": 2])
        let (changed, allChanged) = (try await tokyo.getDocument(), try await cities.getDocuments())
        #expect(!first.isEqual(changed) && !all.isEqual(allChanged))
        // Query.QuerySnapshotsSequence
        let queries: Query.QuerySnapshotsSequence = cities.snapshots
        // DocumentReference.DocumentSnapshotsSequence
        let documents: DocumentReference.DocumentSnapshotsSequence = tokyo.snapshots
        for try await snapshot in queries {
            #expect(snapshot.count == 1)
            break
        }
        for try await snapshot in documents {
            #expect(snapshot["n"] as? Int == 2)
            break
        }
    }
}
