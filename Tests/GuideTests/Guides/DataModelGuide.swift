// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct DataModelGuide {
    @Test func references() throws {
        let db = try emptyDatabase()
        let alovelaceDocumentRef = db.collection("users").document("alovelace")
        let usersCollectionRef = db.collection("users")
        let byPath = db.document("users/alovelace")
        #expect(alovelaceDocumentRef == byPath && byPath.parent == usersCollectionRef)
        let messageRef = db.collection("rooms").document("roomA").collection("messages").document("message1")
        #expect(messageRef.path == "rooms/roomA/messages/message1")
        #expect(messageRef.parent.parent?.documentID == "roomA")
    }

    /// Documents of one collection need not have the same fields.
    @Test func firstProgram() async throws {
        let db = try emptyDatabase()
        let ref = try await db.collection("users").addDocument(data: [
            "first": "Ada", "last": "Lovelace", "born": 1815,
        ])
        try await db.collection("users").addDocument(data: [
            "first": "Alan", "middle": "Mathison", "last": "Turing", "born": 1912,
        ])
        let snapshot = try await db.collection("users").getDocuments()
        #expect(snapshot.documents.count == 2)
        #expect(try await ref.getDocument().data()?["born"] as? Int == 1815)
        #expect(snapshot.documents.contains { $0.data()["middle"] as? String == "Mathison" })
    }

    /// A path may contain a missing document, which can have collections.
    @Test func hierarchies() async throws {
        let db = try emptyDatabase()
        try await db.document("rooms/roomA/messages/message1").setData(["from": "alex", "msg": "Hello World!"])
        #expect(try await !db.document("rooms/roomA").getDocument().exists)
        #expect(try await db.collection("rooms/roomA/messages").getDocuments().count == 1)
        #expect(try await db.collection("rooms").getDocuments().isEmpty)
    }

    /// The order of values of different types: null, booleans, numbers, timestamps, strings, bytes, references, points,
    /// arrays, vectors, maps.
    @Test func orderOfTypes() async throws {
        let db = try emptyDatabase()
        let values: [Any] = [
            NSNull(), false, true, Double.nan, -1.5, 3, Timestamp(seconds: 1, nanoseconds: 0), "a", "b",
            Data([1, 2]), db.document("cities/SF"), GeoPoint(latitude: 1, longitude: 2), [1, 2],
            FieldValue.vector([1.0, 2.0]), ["a": 1],
        ]
        for (index, value) in values.enumerated().reversed() {
            try await db.collection("values").document("\(UnicodeScalar(UInt8(122 - index)))").setData([
                "value": value, "index": index,
            ])
        }
        let snapshot = try await db.collection("values").order(by: "value").getDocuments()
        #expect(snapshot.documents.map { $0["index"] as? Int } == Array(0..<values.count))
    }
}
