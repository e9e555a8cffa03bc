// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct UpdateDataGuide {
    @Test func updateADocument() async throws {
        let db = try Cities.database()
        let washingtonRef = db.collection("cities").document("DC")
        do {
            try await washingtonRef.updateData(["capital": true, "mayor": "Bowser"])
        } catch {
            Issue.record("updating failed: \(error)")
        }
        let document = try await washingtonRef.getDocument()
        #expect(document["capital"] as? Bool == true && document["mayor"] as? String == "Bowser")
        #expect(document["name"] as? String == "Washington D.C.")
    }

    /// Only a document that exists can be updated.
    @Test func updateAMissingDocument() async throws {
        let db = try emptyDatabase()
        do {
            try await db.collection("cities").document("NONE").updateData(["capital": true])
            Issue.record("a missing document was updated")
        } catch let error as NSError {
            #expect(error.domain == FirestoreErrorDomain && error.code == FirestoreErrorCode.notFound.rawValue)
        }
    }

    @Test func serverTimestamp() async throws {
        let db = try emptyDatabase()
        let before = Date().addingTimeInterval(-0.001)
        let reference = db.collection("objects").document("some-id")
        try await reference.setData(["capital": false])
        do {
            try await reference.updateData(["lastUpdated": FieldValue.serverTimestamp()])
        } catch {
            Issue.record("updating failed: \(error)")
        }
        let time = try #require(try await reference.getDocument()["lastUpdated"] as? Timestamp)
        #expect(time.dateValue() >= before && time.nanoseconds % 1_000_000 == 0)
    }

    @Test func nestedObjects() async throws {
        let db = try emptyDatabase()
        let frankDocRef = db.collection("users").document("frank")
        try await frankDocRef.setData([
            "name": "Frank",
            "favorites": ["food": "Pizza", "color": "Blue", "subject": "recess"],
            "age": 12,
        ])
        try await frankDocRef.updateData(["age": 13, "favorites.color": "Red"])
        var document = try await frankDocRef.getDocument()
        #expect(document["age"] as? Int == 13)
        #expect(document["favorites"] as? [String: String] == ["food": "Pizza", "color": "Red", "subject": "recess"])

        // Without a dot, the whole map is replaced.
        try await frankDocRef.updateData(["favorites": ["food": "Ice Cream"]])
        document = try await frankDocRef.getDocument()
        #expect(document["favorites"] as? [String: String] == ["food": "Ice Cream"])

        // A FieldPath can name a field with a dot in its name.
        try await frankDocRef.updateData([FieldPath(["favorites.color"]): "Green"])
        document = try await frankDocRef.getDocument()
        #expect(document.get(FieldPath(["favorites.color"])) as? String == "Green")
        #expect(document["favorites"] as? [String: String] == ["food": "Ice Cream"])
    }

    @Test func elementsOfAnArray() async throws {
        let db = try Cities.database()
        let washingtonRef = db.collection("cities").document("DC")
        try await washingtonRef.updateData(["regions": FieldValue.arrayUnion(["greater_virginia", "east_coast"])])
        #expect(try await washingtonRef.getDocument()["regions"] as? [String] == ["east_coast", "greater_virginia"])
        try await washingtonRef.updateData(["regions": FieldValue.arrayRemove(["east_coast"])])
        #expect(try await washingtonRef.getDocument()["regions"] as? [String] == ["greater_virginia"])
    }

    @Test func increment() async throws {
        let db = try Cities.database()
        let washingtonRef = db.collection("cities").document("DC")
        try await washingtonRef.updateData(["population": FieldValue.increment(Int64(50))])
        #expect(try await washingtonRef.getDocument()["population"] as? Int == 680_050)
        // A missing field becomes the value.
        try await washingtonRef.updateData(["visitors": FieldValue.increment(1.5)])
        #expect(try await washingtonRef.getDocument()["visitors"] as? Double == 1.5)
    }

    @Test func withACallback() async throws {
        let db = try Cities.database()
        let washingtonRef = db.collection("cities").document("DC")
        await finished { done in
            washingtonRef.updateData([
                "capital": true
            ]) { err in
                if let err = err {
                    Issue.record("updating failed: \(err)")
                }
                done()
            }
        }
        #expect(try await washingtonRef.getDocument()["capital"] as? Bool == true)
    }
}
