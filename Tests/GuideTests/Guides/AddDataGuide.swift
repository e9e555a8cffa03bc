// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct AddDataGuide {
    @Test func setADocument() async throws {
        let db = try emptyDatabase()
        do {
            try await db.collection("cities").document("LA").setData([
                "name": "Los Angeles", "state": "CA", "country": "USA",
            ])
        } catch {
            Issue.record("writing failed: \(error)")
        }
        let document = try await db.collection("cities").document("LA").getDocument()
        let expected: NSDictionary = ["name": "Los Angeles", "state": "CA", "country": "USA"]
        #expect(document.data().map { $0 as NSDictionary } == expected)
    }

    /// The data replaces the whole document, unless it is merged.
    @Test func setReplacesAndMerges() async throws {
        let db = try emptyDatabase()
        let reference = db.collection("cities").document("BJ")
        try await reference.setData(["name": "Beijing", "country": "China"])
        try await reference.setData(["name": "Peking"])
        #expect(try await reference.getDocument()["country"] == nil)
        db.collection("cities").document("BJ").setData(["capital": true], merge: true) { error in
            #expect(error == nil)
        }
        let document = try await reference.getDocument()
        #expect(document["name"] as? String == "Peking" && document["capital"] as? Bool == true)
    }

    @Test func dataTypes() async throws {
        let db = try emptyDatabase()
        let docData: [String: Any] = [
            "stringExample": "Hello world!",
            "booleanExample": true,
            "numberExample": 3.14159265,
            "dateExample": Timestamp(date: Date(timeIntervalSince1970: 1_000_000)),
            "arrayExample": [5, true, "hello"],
            "nullExample": NSNull(),
            "objectExample": ["a": 5, "b": ["nested": "foo"]],
        ]
        do {
            try await db.collection("data").document("one").setData(docData)
        } catch {
            Issue.record("writing failed: \(error)")
        }
        let document = try await db.collection("data").document("one").getDocument()
        #expect(document["stringExample"] as? String == "Hello world!")
        #expect(document["booleanExample"] as? Bool == true)
        #expect(document["numberExample"] as? Double == 3.14159265)
        #expect((document["dateExample"] as? Timestamp)?.dateValue() == Date(timeIntervalSince1970: 1_000_000))
        let array = try #require(document["arrayExample"] as? [Any])
        #expect(
            array.count == 3 && array[0] as? Int == 5 && array[1] as? Bool == true && array[2] as? String == "hello")
        #expect(document["nullExample"] is NSNull)
        #expect((document["objectExample"] as? [String: Any])?["a"] as? Int == 5)
        #expect(document.get("objectExample.b.nested") as? String == "foo")
    }

    struct City: Codable {
        let name: String
        let state: String?
        let country: String?
        let isCapital: Bool?
        let population: Int64?

        enum CodingKeys: String, CodingKey {
            case name
            case state
            case country
            case isCapital = "capital"
            case population
        }
    }

    @Test func customObjects() async throws {
        let db = try emptyDatabase()
        let city = City(name: "Los Angeles", state: "CA", country: "USA", isCapital: false, population: 5_000_000)
        do {
            try db.collection("cities").document("LA").setData(from: city)
        } catch let error {
            Issue.record("writing failed: \(error)")
        }
        let document = try await db.collection("cities").document("LA").getDocument()
        #expect(document["capital"] as? Bool == false && document["population"] as? Int == 5_000_000)
        #expect(document["isCapital"] == nil)
    }

    @Test func addADocument() async throws {
        let db = try emptyDatabase()
        do {
            let ref = try await db.collection("cities").addDocument(data: ["name": "Tokyo", "country": "Japan"])
            #expect(ref.documentID.count == 20)
            #expect(try await ref.getDocument()["name"] as? String == "Tokyo")
        } catch {
            Issue.record("adding failed: \(error)")
        }
        #expect(try await db.collection("cities").getDocuments().count == 1)
    }

    @Test func aReferenceBeforeItsData() async throws {
        let db = try emptyDatabase()
        let newCityRef = db.collection("cities").document()
        #expect(try await !newCityRef.getDocument().exists)
        try await newCityRef.setData(["name": "Some City Name"])
        #expect(try await newCityRef.getDocument().exists)
    }
}
