// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// What the coders give and take as dictionaries, without a document.
@Suite struct CoderDataTests {
    private let document: DocumentReference
    private let sample: Sample

    init() throws {
        sample = try Sample()
        document = sample.database.document("cities/LA")
    }

    /// As by FirebaseFirestore and by `data()`.
    @Test func encodedNumbersAreNSNumbers() throws {
        struct Numbers: Codable, Equatable {
            var small: Int32 = 1
            var unsigned: UInt64 = .max
            var int = 2
            var ratio: Float = 0.5
            var double = 1.5
            var isTrue = true
            var list: [Int16] = [3]
            var map: [String: UInt8] = ["a": 4]
        }
        let encoded = try Firestore.Encoder().encode(Numbers())
        #expect(encoded["small"] as? Int == 1 && encoded["small"] as? Double == 1)
        #expect(encoded["unsigned"] as? UInt64 == .max && encoded["int"] as? Int32 == 2)
        #expect(encoded["ratio"] as? Double == 0.5 && encoded["double"] as? Float == 1.5)
        #expect(encoded["list"] as? [Int] == [3] && encoded["map"] as? [String: Int] == ["a": 4])
        #expect(encoded["isTrue"] as? Bool == true && encoded["int"] is NSNumber)
        var stored = Numbers()
        stored.unsigned = 5
        let again = try Firestore.Encoder().encode(stored)
        try document.sync.setData(again)
        #expect(try document.sync.getDocument(as: Numbers.self) == stored)
        #expect(try Firestore.Decoder().decode(Numbers.self, from: again) == stored)
    }

    /// Only what is stored is cut to microseconds.
    @Test func decodedTimesKeepNanoseconds() throws {
        struct Times: Codable, Equatable {
            var time: Timestamp
            @ServerTimestamp var updated: Timestamp?
            var list: [Timestamp]
            var date: Date
        }
        let (first, second) = (Timestamp(seconds: 1, nanoseconds: 4_321), Timestamp(seconds: -1, nanoseconds: 4_322))
        let data: [String: Any] = [
            "time": first, "updated": second, "list": [first, second],
            "date": Timestamp(seconds: 1, nanoseconds: 5_001),
        ]
        let times = try Firestore.Decoder().decode(Times.self, from: data)
        #expect(times.time == first && times.updated == second && times.list == [first, second])
        #expect(times.date == Timestamp(seconds: 1, nanoseconds: 5_001).dateValue())
        #expect(try Firestore.Decoder().decode(Timestamp.self, from: second) == second)
        #expect(throws: DecodingError.self) { try Firestore.Decoder().decode([String: Int].self, from: data) }
        try document.sync.setData(data)
        #expect(try document.sync.getDocument(as: Times.self).time == Timestamp(seconds: 1, nanoseconds: 4_000))
    }

    /// Data that no document may hold is decoded all the same, as by FirebaseFirestore.
    @Test func decodesWhatEncodes() throws {
        struct Nested: Codable, Equatable {
            var grid = [[1, 2], [3]]
            var maps: [[[String: Int]]] = [[["__a__": 1]], []]
        }
        indirect enum Deep: Codable, Equatable { case end, more(Deep) }
        let deep = (0..<25).reduce(Deep.end) { inner, _ in .more(inner) }
        let nested = try Firestore.Encoder().encode(Nested())
        #expect(try Firestore.Decoder().decode(Nested.self, from: nested) == Nested())
        #expect(try Firestore.Decoder().decode(Deep.self, from: Firestore.Encoder().encode(deep)) == deep)
    }

    @Test func dataWithoutAValueIsCorrupted() throws {
        for data in [["n": UInt64.max], ["n": FieldValue.delete()], ["n": Data.self]] as [[String: Any]] {
            let error = #expect(throws: DecodingError.self) {
                try Firestore.Decoder().decode([String: UInt64].self, from: data, in: document)
            }
            guard case .dataCorrupted(let context) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.debugDescription.hasSuffix(" (in cities/LA)"))
        }
    }
}
