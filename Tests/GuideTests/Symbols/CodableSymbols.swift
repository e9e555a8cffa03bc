// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// A custom type as a document ID and as a server timestamp.
private struct Key: Codable, Equatable, DocumentIDWrappable {
    var text: String

    static func wrap(_ documentReference: DocumentReference) -> Key { Key(text: documentReference.path) }
}

private struct Seconds: Codable, Equatable, ServerTimestampWrappable {
    var value: Int64

    static func wrap(_ timestamp: Timestamp) -> Seconds { Seconds(value: timestamp.seconds) }
    static func unwrap(_ value: Seconds) -> Timestamp { Timestamp(seconds: value.value, nanoseconds: 0) }
}

@Suite struct CodableSymbols {
    private struct City: Codable {
        @DocumentID var id: String?
        @DocumentID var key: Key?
        @ServerTimestamp var updated: Date?
        @ExplicitNull var mayor: String?
        var name: String
    }

    @Test func encoder() throws {
        // Firestore.Encoder
        // Firestore.Encoder.init()
        let encoder: Firestore.Encoder = Firestore.Encoder()
        // Firestore.Encoder.dateEncodingStrategy
        encoder.dateEncodingStrategy = .timestamp
        // Firestore.Encoder.dataEncodingStrategy
        encoder.dataEncodingStrategy = .blob
        // Firestore.Encoder.nonConformingFloatEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = .throw
        // Firestore.Encoder.keyEncodingStrategy
        encoder.keyEncodingStrategy = .useDefaultKeys
        // Firestore.Encoder.userInfo
        encoder.userInfo = [:]
        // Firestore.Encoder.encode(_:)
        let data: [String: Any] = try encoder.encode(City(name: "Tokyo"))
        #expect(data["name"] as? String == "Tokyo" && data["mayor"] is NSNull && data["updated"] is FieldValue)
        #expect(data.count == 3)
    }

    @Test func decoder() throws {
        let reference = try emptyDatabase().document("cities/TOK")
        // Firestore.Decoder
        // Firestore.Decoder.init()
        let decoder: Firestore.Decoder = Firestore.Decoder()
        // Firestore.Decoder.dateDecodingStrategy
        decoder.dateDecodingStrategy = .timestamp
        // Firestore.Decoder.dataDecodingStrategy
        decoder.dataDecodingStrategy = .blob
        // Firestore.Decoder.nonConformingFloatDecodingStrategy
        decoder.nonConformingFloatDecodingStrategy = .throw
        // Firestore.Decoder.keyDecodingStrategy
        decoder.keyDecodingStrategy = .useDefaultKeys
        // Firestore.Decoder.userInfo
        decoder.userInfo = [:]
        // Firestore.Decoder.decode(_:from:)
        #expect(try decoder.decode([String: Int].self, from: ["a": 1]) == ["a": 1])
        #expect(try decoder.decode([Int].self, from: [1, 2]) == [1, 2])
        let data: [String: Any] = [
            "name": "Tokyo", "updated": Timestamp(seconds: 7, nanoseconds: 0), "mayor": NSNull(),
        ]
        // Firestore.Decoder.decode(_:from:in:)
        let city = try decoder.decode(City.self, from: data, in: reference)
        #expect(city.id == "TOK" && city.key == Key(text: "cities/TOK") && city.mayor == nil)
        #expect(city.updated == Date(timeIntervalSince1970: 7))
    }

    @Test func wrappers() throws {
        // DocumentID
        // DocumentID.init(wrappedValue:)
        let id = DocumentID<String>(wrappedValue: "SF")
        // DocumentID.wrappedValue
        #expect(id.wrappedValue == "SF")
        // ServerTimestamp
        // ServerTimestamp.init(wrappedValue:)
        let time = ServerTimestamp<Timestamp>(wrappedValue: nil)
        // ServerTimestamp.wrappedValue
        #expect(time.wrappedValue == nil)
        // ExplicitNull
        // ExplicitNull.init(wrappedValue:)
        let null = ExplicitNull<Int>(wrappedValue: 1)
        // ExplicitNull.wrappedValue
        #expect(null.wrappedValue == 1)
    }

    @Test func protocols() throws {
        let reference = try emptyDatabase().document("cities/TOK")
        // DocumentIDWrappable
        func id<T: DocumentIDWrappable>(_ type: T.Type) throws -> T {
            // DocumentIDWrappable.wrap(_:)
            try T.wrap(reference)
        }
        #expect(try id(Key.self) == Key(text: "cities/TOK") && (try id(String.self)) == "TOK")
        // ServerTimestampWrappable
        func twice<T: ServerTimestampWrappable>(_ value: T) throws -> T {
            // ServerTimestampWrappable.wrap(_:)
            // ServerTimestampWrappable.unwrap(_:)
            try T.wrap(try T.unwrap(value))
        }
        #expect(try twice(Seconds(value: 9)) == Seconds(value: 9))
    }

    @Test func errors() throws {
        // FirestoreDecodingError
        #expect(throws: FirestoreDecodingError.self) {
            try JSONDecoder().decode(DocumentID<String>.self, from: Data("1".utf8))
        }
        do {
            _ = try JSONDecoder().decode(City.self, from: Data(#"{"id": "x", "name": "Tokyo"}"#.utf8))
            Issue.record("only Firestore.Decoder decodes a DocumentID")
        } catch FirestoreDecodingError.decodingIsNotSupported(let reason) {
            // FirestoreDecodingError.decodingIsNotSupported(_:)
            let error: any Error = FirestoreDecodingError.decodingIsNotSupported(reason)
            #expect(error is FirestoreDecodingError)
        } catch FirestoreDecodingError.fieldNameConflict(let reason) {
            // FirestoreDecodingError.fieldNameConflict(_:)
            let error: any Error = FirestoreDecodingError.fieldNameConflict(reason)
            #expect(error is FirestoreDecodingError && reason.contains("id"))
        }
        // FirestoreEncodingError
        #expect(throws: FirestoreEncodingError.self) { try JSONEncoder().encode(DocumentID<String>(wrappedValue: "x")) }
        // FirestoreEncodingError.encodingIsNotSupported(_:)
        let error = FirestoreEncodingError.encodingIsNotSupported("reason")
        #expect("\(error)".contains("reason"))
    }
}
