// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// Vector searches as a program writes them.
struct NearestTests {
    private let sample: Sample
    private let items: CollectionReference

    private static let indexes = """
        {"indexes": [{"collectionGroup": "items", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "color", "order": "ASCENDING"},
            {"fieldPath": "place.v", "vectorConfig": {"dimension": 2, "flat": {}}}]}]}
        """

    init() throws {
        sample = try Sample()
        items = sample.database.collection("items")
        for (id, color, vector) in [
            ("a", "red", [0.0, 0.0]), ("b", "red", [3.0, 4.0]), ("c", "red", [1.0, 0.0]), ("d", "blue", [0.0, 0.1]),
        ] {
            try items.document(id).sync.setData(["color": color, "place": ["v": FieldValue.vector(vector)]])
        }
        try items.document("e").sync.setData(["color": "red", "place": ["v": "no vector"]])
    }

    private func search(_ measure: DistanceMeasure, limit: Int = 10, threshold: Double? = nil) -> Query {
        items.whereField("color", isEqualTo: "red").findNearest(
            vectorField: "place.v", queryVector: FieldValue.vector([0.0, 0.0]), limit: limit, distanceMeasure: measure,
            distanceResultField: "distance", distanceThreshold: threshold)
    }

    @Test func nearestFirst() async throws {
        try await sample.database.setIndexConfiguration(Self.indexes)
        let found = try await search(.euclidean).getDocuments().documents
        #expect(found.map(\.documentID) == ["a", "c", "b"])
        #expect(found.map { $0["distance"] as? Double } == [0, 1, 5])
        #expect(try await search(.euclidean, limit: 1).getDocuments().documents.map(\.documentID) == ["a"])
        #expect(try await search(.euclidean, threshold: 1).getDocuments().count == 2)
        #expect(try await search(.euclidean).count.getAggregation(source: .server).count.intValue == 3)
        let byPath = items.whereField("color", isEqualTo: "red").findNearest(
            vectorField: FieldPath(["place", "v"]), queryVector: FieldValue.vector([3.0, 3.0]), limit: 1,
            distanceMeasure: .dotProduct)
        #expect(try await byPath.getDocuments().documents.map(\.documentID) == ["b"])
    }

    @Test func whatIsRefused() throws {
        let missing = try #require(throws: FirestoreError.self) { try search(.euclidean).sync.getDocuments() }
        #expect(missing.missingIndex?.fields.last?.mode == .vector(dimension: 2))
        try sample.database.sync.setIndexConfiguration(Self.indexes)
        for wrong in [search(.euclidean, limit: 0), search(.euclidean, limit: 1_001), search(.euclidean).limit(to: 1)] {
            let error = try #require(throws: FirestoreError.self) { try wrong.sync.getDocuments() }
            #expect(error.status == .invalidArgument)
        }
        // A zero vector has no angle.
        let cosine = try #require(throws: FirestoreError.self) { try search(.cosine).sync.getDocuments() }
        #expect(cosine.status == .failedPrecondition)
    }

    @Test func itIsNotListenedTo() async throws {
        try await sample.database.setIndexConfiguration(Self.indexes)
        let error = await #expect(throws: FirestoreError.self) {
            for try await _ in search(.euclidean).snapshots { Issue.record("a snapshot came") }
        }
        #expect(error?.status == .invalidArgument)
    }
}
