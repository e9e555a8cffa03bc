// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct SnapshotSymbols {
    struct City: Codable {
        var name: String
    }

    @Test func documents() async throws {
        let city = try emptyDatabase().document("cities/SF")
        try await city.setData(["name": "San Francisco", "mayor": ["name": "Breed"]])
        // DocumentSnapshot
        let document: DocumentSnapshot = try await city.getDocument()
        // DocumentSnapshot.exists
        #expect(document.exists)
        // DocumentSnapshot.reference
        #expect(document.reference == city)
        // DocumentSnapshot.documentID
        #expect(document.documentID == "SF")
        // DocumentSnapshot.data()
        let data: [String: Any]? = document.data()
        #expect(data?.count == 2)
        // DocumentSnapshot.get(_:)
        #expect(document.get("mayor.name") as? String == "Breed")
        #expect(document.get(FieldPath(["mayor", "name"])) as? String == "Breed")
        // DocumentSnapshot.subscript(_:)
        #expect(document["name"] as? String == "San Francisco" && document[FieldPath(["name"])] != nil)
        // DocumentSnapshot.data(as:)
        #expect(try document.data(as: City.self).name == "San Francisco")
        // DocumentSnapshot.data(as:with:decoder:)
        #expect(try document.data(as: City.self, with: .none, decoder: Firestore.Decoder()).name == "San Francisco")
        // DocumentSnapshot.metadata
        // SnapshotMetadata
        let metadata: SnapshotMetadata = document.metadata
        // SnapshotMetadata.hasPendingWrites
        #expect(!metadata.hasPendingWrites)
        // SnapshotMetadata.isFromCache
        #expect(!metadata.isFromCache)
    }

    @Test func serverTimestamps() async throws {
        let city = try emptyDatabase().document("cities/SF")
        try await city.setData(["time": FieldValue.serverTimestamp()])
        let document = try await city.getDocument()
        // ServerTimestampBehavior
        var behavior: ServerTimestampBehavior
        // ServerTimestampBehavior.none
        behavior = .none
        // DocumentSnapshot.data(with:)
        #expect(document.data(with: behavior)?["time"] is Timestamp)
        // ServerTimestampBehavior.estimate
        behavior = .estimate
        // DocumentSnapshot.get(_:serverTimestampBehavior:)
        #expect(document.get("time", serverTimestampBehavior: behavior) is Timestamp)
        #expect(document.get(FieldPath(["time"]), serverTimestampBehavior: behavior) is Timestamp)
        // ServerTimestampBehavior.previous
        behavior = .previous
        #expect(document.data(with: behavior)?.count == 1)
    }

    @Test func queries() async throws {
        let cities = try emptyDatabase().collection("cities")
        try await cities.document("SF").setData(["name": "San Francisco"])
        // QuerySnapshot
        let snapshot: QuerySnapshot = try await cities.getDocuments()
        // QuerySnapshot.query
        #expect(snapshot.query == cities)
        // QuerySnapshot.metadata
        #expect(!snapshot.metadata.isFromCache)
        // QuerySnapshot.isEmpty
        #expect(!snapshot.isEmpty)
        // QuerySnapshot.count
        #expect(snapshot.count == 1)
        // QuerySnapshot.documents
        // QueryDocumentSnapshot
        let documents: [QueryDocumentSnapshot] = snapshot.documents
        for document in documents {
            // QueryDocumentSnapshot.data()
            let data: [String: Any] = document.data()
            #expect(data["name"] as? String == "San Francisco")
            // QueryDocumentSnapshot.data(with:)
            #expect(document.data(with: .estimate).count == 1)
        }
    }
}
