// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct CodableTests {
    private let sample: Sample
    private let document: DocumentReference

    init() throws {
        sample = try Sample()
        document = sample.database.document("cities/LA")
    }

    struct City: Codable, Equatable {
        @DocumentID var id: String?
        @DocumentID var reference: DocumentReference?
        var name: String
        var state: String?
        @ExplicitNull var mayor: String?
        @ServerTimestamp var updated: Timestamp?
        @ServerTimestamp var checked: Date?
        var isCapital = false
        var population: Int64 = 0
        var byte: UInt8 = 255
        var area = 1.5
        var whole = 2.0
        var ratio: Float = 0.25
        var founded = Date(timeIntervalSince1970: 1_000_000.25)
        var stamp = Timestamp(seconds: 7, nanoseconds: 8_000)
        var place = GeoPoint(latitude: 1, longitude: 2)
        var photo = Data([1, 2, 3])
        var link = URL(string: "https://example.com/a")!
        var vector = VectorValue([1, 2])
        var neighbor: DocumentReference?
        var tags: [String] = ["a", "b"]
        var nested: [Part] = [Part(kind: .large, counts: ["x": 1]), Part(kind: .small, counts: [:])]
        var optionals: [Int?] = [1, nil]

        struct Part: Codable, Equatable {
            enum Kind: String, Codable { case large, small }
            var kind: Kind
            var counts: [String: Int]
        }
    }

    @Test func everythingReturns() throws {
        var city = City(name: "Los Angeles")
        city.neighbor = sample.database.document("cities/SF")
        city.checked = Date(timeIntervalSince1970: 5)
        try document.sync.setData(from: city)
        let snapshot = try document.sync.getDocument()
        let stored = try #require(snapshot.data())
        #expect(stored["id"] == nil && stored["reference"] == nil && stored["state"] == nil)
        #expect(stored["mayor"] is NSNull && stored["updated"] is Timestamp && stored["founded"] is Timestamp)
        #expect(stored["link"] as? String == "https://example.com/a" && stored["photo"] as? Data == Data([1, 2, 3]))
        #expect((stored["whole"] as? NSNumber).map { String(cString: $0.objCType) } == "d")
        var expected = city
        expected.id = "LA"
        expected.reference = document
        expected.updated = snapshot["updated"] as? Timestamp
        #expect(expected.updated != nil)
        #expect(try snapshot.data(as: City.self) == expected)
        #expect(try document.sync.getDocument(as: City.self) == expected)
        #expect(try Firestore.Decoder().decode(City.self, from: stored, in: document) == expected)
    }

    @Test func oneFieldAsAType() throws {
        var city = City(name: "Los Angeles")
        city.population = 7
        try document.sync.setData(from: city)
        try document.sync.updateData(["deep.a.b": 3, "half": 1.5, "large": Int64.max, "dotted.name": "x"])
        for snapshot in [
            try document.sync.getDocument(), try sample.database.collection("cities").sync.getDocuments().documents[0],
        ] where snapshot.documentID == "LA" {
            #expect(try snapshot.get("name", as: String.self) == "Los Angeles")
            #expect(try snapshot.get("population", as: Int.self) == 7)
            #expect(try snapshot.get("population", as: Double.self) == 7)
            #expect(try snapshot.get("whole", as: Int.self) == 2)
            #expect(try snapshot.get("half", as: Double.self) == 1.5)
            #expect(try snapshot.get("large", as: Int64.self) == .max)
            #expect(try snapshot.get("isCapital", as: Bool.self) == false)
            #expect(try snapshot.get("tags", as: [String].self) == ["a", "b"])
            #expect(try snapshot.get("stamp", as: Timestamp.self) == city.stamp)
            #expect(try snapshot.get("deep.a.b", as: Int.self) == 3)
            #expect(try snapshot.get(FieldPath(["deep", "a", "b"]), as: Int.self) == 3)
            #expect(try snapshot.get(FieldPath(["deep.a.b"]), as: Int.self) == nil)
            #expect(try snapshot.get("mayor", as: String.self) == nil, "null")
            #expect(try snapshot.get("none", as: String.self) == nil)
            #expect(try snapshot.get("name.none", as: String.self) == nil)
            #expect(throws: DecodingError.self) { try snapshot.get("name", as: Int.self) }
            #expect(throws: DecodingError.self) { try snapshot.get("half", as: Int.self) }
            #expect(throws: DecodingError.self) { try snapshot.get("large", as: Int32.self) }
        }
        let missing = try sample.database.document("cities/none").sync.getDocument()
        #expect(try missing.get("name", as: String.self) == nil)
    }

    /// The forms for `Int`, `Double`, `String` and `Bool` give what the generic form gives.
    @Test func theCommonestTypesAsAnyOther() throws {
        let values: [String: Any] = [
            "null": NSNull(), "false": false, "one": 1, "minusOne": -1, "greatest": Int64.max, "least": Int64.min,
            "whole": 2.0,
            "half": 0.5, "minusZero": -0.0, "large": 1e300, "infinite": Double.infinity, "nan": Double.nan, "text": "a",
            "empty": "",
            "digits": "12", "long": String(repeating: "é", count: 300), "list": [1], "map": ["a": 1],
            "bytes": Data([1]),
            "time": Timestamp(seconds: 1, nanoseconds: 0), "place": GeoPoint(latitude: 1, longitude: 2), "in.map": 5,
        ]
        try document.sync.setData(values)
        let snapshot = try document.sync.getDocument()
        for name in values.keys.sorted() + ["missing", "map.a", "text.a"] {
            #expect(outcome { try snapshot.get(name, as: Int.self) } == generic(name, Int.self, of: snapshot))
            #expect(outcome { try snapshot.get(name, as: Double.self) } == generic(name, Double.self, of: snapshot))
            #expect(outcome { try snapshot.get(name, as: String.self) } == generic(name, String.self, of: snapshot))
            #expect(outcome { try snapshot.get(name, as: Bool.self) } == generic(name, Bool.self, of: snapshot))
        }
    }

    private func generic<T: Decodable>(_ name: String, _ type: T.Type, of snapshot: DocumentSnapshot) -> String {
        outcome { try snapshot.get(name, as: type) }
    }

    private func outcome(_ body: () throws -> Any?) -> String {
        do { return "\(String(describing: try body()))" } catch { return "\(error)" }
    }

    private struct Numbered: Codable, Equatable {
        @DocumentID var id: String?
        var n: Int
    }

    @Test func formsThatAreNotAwaited() throws {
        let items = sample.database.collection("items")
        let added = try items.addDocument(from: Numbered(n: 1))
        try added.setData(from: Numbered(n: 2), merge: true)
        let error = #expect(throws: FirestoreError.self) {
            try added.setData(from: Numbered(n: 3), mergeFields: ["x"]) { _ in
                Issue.record("a refused write was begun")
            }
        }
        #expect(error?.status == .invalidArgument)
        let read = try added.sync.getDocument().data(as: Numbered.self)
        #expect(read == Numbered(id: added.documentID, n: 2))
    }

    @Test func readingWithACallback() async throws {
        let document = sample.database.document("items/a")
        try await document.setData(encoding: Numbered(n: 2))
        let item = await withCheckedContinuation { continuation in
            document.getDocument(as: Numbered.self) { continuation.resume(returning: try? $0.get()) }
        }
        #expect(item?.n == 2)
    }

    @Test func batchesAndTransactions() throws {
        let document = sample.database.document("items/a")
        try sample.database.batch().setData(from: Numbered(n: 4), forDocument: document).sync.commit()
        try sample.database.sync.runTransaction { transaction in
            let item = try transaction.getDocument(document).data(as: Numbered.self)
            try transaction.setData(from: Numbered(n: item.n + 1), forDocument: document)
        }
        #expect(try document.sync.getDocument().data(as: Numbered.self).n == 5)
    }

    /// When an awaited form returns, other users of the file see the write.
    @Test func awaitedForms() async throws {
        struct Item: Codable, Equatable {
            var n: Int
            var m: Int?
        }
        let settings = Sample.settings
        let other = try await Database.open(path: sample.path, settings: settings)
        let items = sample.database.collection("items")
        let added = try await items.addDocument(encoding: Item(n: 1))
        let same = other.document(added.path)
        #expect(try await same.getDocument(as: Item.self) == Item(n: 1))
        try await added.setData(encoding: Item(n: 2, m: 2))
        #expect(try await same.getDocument(as: Item.self) == Item(n: 2, m: 2))
        try await added.setData(encoding: Item(n: 3), merge: true)
        #expect(try await same.getDocument(as: Item.self) == Item(n: 3, m: 2))
        try await added.setData(encoding: Item(n: 4, m: 4), mergeFields: ["m"])
        #expect(try await same.getDocument(as: Item.self) == Item(n: 3, m: 4))
        await #expect(throws: FirestoreError.self) { try await added.setData(encoding: ["a": [[1]]]) }
        // FirebaseFirestore's form keeps its meaning, even in a function that could await another form.
        func writeUnawaited() throws { try added.setData(from: Item(n: 5)) }
        try writeUnawaited()
        #expect(try await added.getDocument(as: Item.self) == Item(n: 5))
    }

    /// C-42: it is filled from the place, whatever field of its name the document has.
    @Test func documentIDsIgnoreFieldsOfTheirNames() throws {
        struct Item: Codable {
            @DocumentID var id: String?
            @DocumentID var place: DocumentReference?
            var n: Int
        }
        for field in ["x", 1, NSNull(), ["a": 1], sample.database.document("other/x")] as [Any] {
            try document.sync.setData(["id": field, "place": field, "n": 1])
            let item = try document.sync.getDocument(as: Item.self)
            #expect(item.id == "LA" && item.place == document && item.n == 1)
        }
        let error = #expect(throws: FirestoreDecodingError.self) {
            try Firestore.Decoder().decode(Item.self, from: ["id": "x", "n": 1])
        }
        guard case .decodingIsNotSupported? = error else {
            Issue.record("\(error as Any)")
            return
        }
        // Written back, the fields are gone.
        try document.sync.setData(from: document.sync.getDocument(as: Item.self))
        #expect(try document.sync.getDocument().data()?.keys.sorted() == ["n"])
    }

    /// It asks of its value what the program asks of it, as in FirebaseFirestore.
    @Test func explicitNullOfTypesThatAreNotCodable() throws {
        struct Written: Encodable { @ExplicitNull var mayor: Name? }
        struct Name: Encodable { var first: String }
        struct Other { @ExplicitNull var any: Any? }
        try document.sync.setData(from: Written(mayor: nil))
        #expect(try document.sync.getDocument()["mayor"] is NSNull)
        try document.sync.setData(from: Written(mayor: Name(first: "A")))
        #expect(try document.sync.getDocument()["mayor.first"] as? String == "A")
        #expect(Other(any: 1).any as? Int == 1)
    }

    @Test func missingDocuments() throws {
        struct Item: Codable { var n: Int }
        #expect(try document.sync.getDocument(as: Item?.self) == nil)
        #expect(throws: DecodingError.self) { try document.sync.getDocument(as: Item.self) }
    }

    /// A program that decodes many documents is told which one failed.
    @Test func errorsNameTheDocument() throws {
        struct Item: Codable { var part: Part }
        struct Part: Codable { var n: Int }
        func context(_ data: [String: Any]?) throws -> DecodingError.Context? {
            try document.sync.delete()
            if let data { try document.sync.setData(data) }
            do {
                _ = try document.sync.getDocument(as: Item.self)
                return nil
            } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context)
            {
                return context
            }
        }
        for data in [nil, [:], ["part": 1], ["part": ["n": NSNull()]], ["part": ["n": 1.5]]] as [[String: Any]?] {
            let context = try #require(try context(data))
            #expect(context.debugDescription.hasSuffix("(in cities/LA)"), "\(context)")
        }
        let deep = try #require(try context(["part": ["n": "x"]]))
        #expect(deep.codingPath.map(\.stringValue) == ["part", "n"])
        #expect(deep.debugDescription == "Expected Int but found string instead. (in cities/LA)")
    }

    @Test func mismatches() throws {
        struct Item: Codable, Equatable { var n: Int }
        func decode(_ data: [String: Any]) throws -> Item { try Firestore.Decoder().decode(Item.self, from: data) }
        #expect(try decode(["n": 3.0]) == Item(n: 3))
        for wrong in [3.5, "3", true, NSNull(), Double.infinity, 1e300, [1], Timestamp()] as [Any] {
            #expect(throws: DecodingError.self) { try decode(["n": wrong]) }
        }
        #expect(throws: DecodingError.self) { try decode([:]) }
        #expect(throws: EncodingError.self) { try Firestore.Encoder().encode([1, 2]) }
        #expect(throws: EncodingError.self) { try Firestore.Encoder().encode(7) }
        #expect(throws: EncodingError.self) { try Firestore.Encoder().encode(["n": Double.nan]) }
        #expect(throws: (any Error).self) { try JSONEncoder().encode(DocumentID<String>(wrappedValue: "a")) }
        #expect(throws: (any Error).self) { try JSONEncoder().encode(document) }
        #expect(throws: (any Error).self) { try JSONDecoder().decode(DocumentReference.self, from: Data("\"a\"".utf8)) }
    }

    @Test func strategies() throws {
        struct Item: Codable, Equatable {
            var oneTwoThree = 1
            var myURLProperty = "u"
            var date = Date(timeIntervalSince1970: 1_700_000_000)
            var data = Data([0xFF])
            var number = Double.infinity
        }
        let encoder = Firestore.Encoder()
        let decoder = Firestore.Decoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.dataEncodingStrategy = .base64
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let data = try encoder.encode(Item())
        #expect(
            data as NSDictionary == [
                "one_two_three": 1, "my_url_property": "u", "date": "2023-11-14T22:13:20Z", "data": "/w==",
                "number": "inf",
            ])
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .base64
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        var custom = data
        custom["myURLProperty"] = custom.removeValue(forKey: "my_url_property")
        custom["oneTwoThree"] = custom.removeValue(forKey: "one_two_three")
        #expect(try decoder.decode(Item.self, from: custom) == Item())
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Snake: Codable, Equatable { var oneTwoThree: Int }
        #expect(try decoder.decode(Snake.self, from: data) == Snake(oneTwoThree: 1))
        encoder.dateEncodingStrategy = .millisecondsSince1970
        #expect(try encoder.encode(["d": Date(timeIntervalSince1970: 1.5)])["d"] as? Double == 1_500)
    }

    /// Sentinels are kept, and a superclass's properties are under `super` (C-41).
    @Test func sentinelsAndClasses() throws {
        struct Change: Encodable { var n = FieldValue.increment(5) }
        try document.sync.setData(["n": 1])
        try document.sync.setData(from: Change(), merge: true)
        #expect(try document.sync.getDocument()["n"] as? Int == 6)

        class Animal: Codable {
            var legs = 4
        }
        final class Dog: Animal {
            var name = "Rex"
            private enum CodingKeys: CodingKey { case name }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                name = try container.decode(String.self, forKey: .name)
                try super.init(from: container.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(name, forKey: .name)
                try super.encode(to: container.superEncoder())
            }
        }
        let dog = Dog()
        dog.legs = 3
        let data = try Firestore.Encoder().encode(dog)
        #expect(data as NSDictionary == ["name": "Rex", "super": ["legs": 3]])
        #expect(try Firestore.Decoder().decode(Dog.self, from: data).legs == 3)
    }
}
