// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// The solutions on counters and write-time aggregation.
@Suite struct SolutionsGuide {
    private func createCounter(ref: DocumentReference, numShards: Int) async throws {
        try await ref.setData(["numShards": numShards])
        for i in 0..<numShards {
            try await ref.collection("shards").document(String(i)).setData(["count": 0])
        }
    }

    private func incrementCounter(ref: DocumentReference, numShards: Int) async throws {
        let shardId = Int.random(in: 0..<numShards)
        let shardRef = ref.collection("shards").document(String(shardId))
        try await shardRef.updateData(["count": FieldValue.increment(Int64(1))])
    }

    @Test func distributedCounters() async throws {
        let db = try emptyDatabase()
        let ref = db.collection("counters").document("likes")
        try await createCounter(ref: ref, numShards: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await incrementCounter(ref: ref, numShards: 4) } }
            try await group.waitForAll()
        }
        let querySnapshot = try await ref.collection("shards").getDocuments()
        var totalCount = 0
        for document in querySnapshot.documents {
            totalCount += document.data()["count"] as! Int
        }
        #expect(totalCount == 100)
        let sum = try await ref.collection("shards").aggregate([.sum("count")]).getAggregation(source: .server)
        #expect(sum.get(.sum("count")) as? Int == 100)
    }

    private func addRating(_ rating: Double, to restaurant: DocumentReference) async throws {
        let ratingRef = restaurant.collection("ratings").document()
        _ = try await restaurant.firestore.runTransaction({ (transaction, errorPointer) -> Any? in
            do {
                let document = try transaction.getDocument(restaurant).data() ?? [:]
                let count = document["numRatings"] as? Int ?? 0
                let average = document["avgRating"] as? Double ?? 0
                transaction.setData(
                    [
                        "numRatings": count + 1,
                        "avgRating": (average * Double(count) + rating) / Double(count + 1),
                    ], forDocument: restaurant, merge: true)
                transaction.setData(["rating": rating], forDocument: ratingRef)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        })
    }

    @Test func writeTimeAggregation() async throws {
        let db = try emptyDatabase()
        let arinell = db.collection("restaurants").document("arinell-pizza")
        try await arinell.setData(["name": "Arinell Pizza", "avgRating": 4.5, "numRatings": 2])
        try await addRating(3, to: arinell)
        let document = try await arinell.getDocument()
        #expect(document["numRatings"] as? Int == 3 && document["avgRating"] as? Double == 4)
        #expect(try await arinell.collection("ratings").getDocuments().count == 1)
    }
}
