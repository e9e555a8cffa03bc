// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct DataTests {
    /// V-1: written values are read back with their types.
    @Test func everyTypeReturns() throws {
        let database = try Sample().database
        let document = database.document("types/all")
        try document.sync.setData([
            "null": NSNull(), "nil": Int?.none as Any, "true": true, "integer": 3, "big": Int64.max, "double": 3.5,
            "whole": 3.0, "text": "e\u{301}", "bytes": Data([0, 255]), "array": [1, "two", [String: Any]()],
            "timestamp": Timestamp(seconds: -1, nanoseconds: 123_456_000),
            "point": GeoPoint(latitude: 1, longitude: -2),
            "reference": database.document("a/b"), "vector": FieldValue.vector([1.0, 2.0]),
            "map": ["a": ["b": 1]], "optional": Optional(7) as Any, "byte": UInt8(200),
        ])
        let snapshot = try document.sync.getDocument()
        #expect(snapshot["null"] is NSNull)
        #expect(snapshot["nil"] is NSNull)
        #expect(snapshot["true"] as? Bool == true)
        #expect(snapshot["integer"] as? Int == 3)
        #expect(snapshot["integer"] as? Int64 == 3)
        #expect(snapshot["integer"] is NSNumber)
        #expect(snapshot["big"] as? Int64 == .max)
        #expect(snapshot["double"] as? Double == 3.5)
        #expect((snapshot["whole"] as? NSNumber).map { String(cString: $0.objCType) } == "d")
        #expect((snapshot["integer"] as? NSNumber).map { String(cString: $0.objCType) } != "d")
        #expect((snapshot["text"] as? String).map { Array($0.utf8) } == Array("e\u{301}".utf8))
        #expect(snapshot["bytes"] as? Data == Data([0, 255]))
        #expect(snapshot["timestamp"] as? Timestamp == Timestamp(seconds: -1, nanoseconds: 123_456_000))
        #expect(snapshot["point"] as? GeoPoint == GeoPoint(latitude: 1, longitude: -2))
        #expect(snapshot["reference"] as? DocumentReference == database.document("a/b"))
        #expect(snapshot["vector"] as? VectorValue == VectorValue([1, 2]))
        #expect(snapshot["map.a.b"] as? Int == 1)
        #expect(snapshot[FieldPath(["map", "a", "b"])] as? Int == 1)
        #expect(snapshot["optional"] as? Int == 7)
        #expect(snapshot["byte"] as? Int == 200)
        let array = try #require(snapshot["array"] as? [Any])
        #expect(array.count == 3 && array[0] as? Int == 1 && array[1] as? String == "two")
        #expect((array[2] as? [String: Any])?.isEmpty == true)
        #expect(snapshot["absent"] == nil && snapshot["map.x"] == nil && snapshot["a..b"] == nil)
        #expect(snapshot.data()?.count == 17)
    }

    /// The result of `data()` can be written back without change, including numbers and their types.
    @Test func dataRoundTrips() throws {
        let database = try Sample().database
        let first = database.document("types/first")
        try first.sync.setData([
            "b": true, "i": 1, "d": 1.0, "m": ["x": [NSNull(), 2.5, false]],
            "t": Date(timeIntervalSince1970: 1e9 + 0.123456),
            "r": first,
        ])
        let second = database.document("types/second")
        try second.sync.setData(try #require(try first.sync.getDocument().data()))
        let third = try second.sync.getDocument()
        #expect((third["b"] as? NSNumber).map { String(cString: $0.objCType) } == "c")
        #expect((third["i"] as? NSNumber).map { String(cString: $0.objCType) } != "d")
        #expect((third["d"] as? NSNumber).map { String(cString: $0.objCType) } == "d")
        #expect(third["t"] as? Timestamp == Timestamp(seconds: 1_000_000_000, nanoseconds: 123_456_000))
        #expect(third["r"] as? DocumentReference == first)
    }

    /// A value in an optional is not recognised by its exact type, but cast. Both give the same.
    @Test func exactTypesAsCasts() throws {
        let database = try Sample().database
        let exact: [String: Any] = [
            "text": "a", "int": 7, "int64": Int64.min, "double": 2.0, "boolean": true, "no": false,
            "list": ["a", 1] as [Any],
            "map": ["b": 1.5] as [String: Any], "time": Timestamp(seconds: 5, nanoseconds: 6_000),
        ]
        try database.document("types/exact").sync.setData(exact)
        try database.document("types/cast").sync.setData(exact.mapValues { Optional.some($0) as Any })
        let documents = try database.collection("types").sync.getDocuments().documents
        #expect(documents.count == 2)
        let read = documents.map { $0.data().mapValues { "\(type(of: $0)) \($0)" } }
        #expect(read[0] == read[1])
        #expect(read[0]["double"] != read[0]["int"]?.replacing("7", with: "2"), "so that the test sees types")
    }

    /// What an `Any` holds counts, however often it is wrapped: `snapshot["n"] as Any` holds an optional.
    @Test func wrappedValuesAreReadAsThemselves() throws {
        let database = try Sample().database
        let plain: [String: Any] = [
            "zero": NSNumber(value: 0), "one": NSNumber(value: 1), "1.0": NSNumber(value: 1.0),
            "2.0": NSNumber(value: 2.0), "true": NSNumber(value: true), "int": 2, "text": "a",
            "date": Date(timeIntervalSince1970: 1), "null": NSNull(),
            "list": [NSNumber(value: 1), NSNumber(value: 2.0)], "map": ["n": NSNumber(value: 0)],
        ]
        let document = database.document("types/a")
        try document.sync.setData(plain)
        let data = try #require(try document.sync.getDocument().data())
        let expected = data.mapValues(typed)
        #expect(expected["one"] != expected["1.0"], "so that the test sees types")
        let numbers = plain.compactMapValues { $0 as? NSNumber }
        let wrapped: [[String: Any]] = [
            plain.mapValues { Optional.some($0) as Any }, data.mapValues { Optional.some($0) as Any },
            data.mapValues { Optional.some(Optional.some(Optional.some($0))) as Any },
            data.mapValues { ($0 as? AnyHashable).map { $0 as Any } ?? $0 },
            numbers.mapValues { Optional.some($0) } as [String: NSNumber?] as [String: Any],
        ]
        for wrapped in wrapped {
            try document.sync.setData(wrapped)
            let found = try #require(try document.sync.getDocument().data()).mapValues(typed)
            #expect(found == expected.filter { wrapped[$0.key] != nil })
        }
    }

    /// The type of a number, and the value.
    private func typed(_ value: Any) -> String {
        switch value {
        case let list as [Any]: "[\(list.map(typed).joined(separator: ", "))]"
        case let map as [String: Any]: "\(map.mapValues(typed))"
        case let number as NSNumber: "\(String(cString: number.objCType)) \(number)"
        default: "\(type(of: value)) \(value)"
        }
    }

    @Test func wrappedNumbersInQueriesAndTransforms() throws {
        let database = try Sample().database
        let numbers = database.collection("numbers")
        for n in [1, 2] { try numbers.document("\(n)").sync.setData(["n": n]) }
        let one = try numbers.document("1").sync.getDocument()["n"] as Any
        #expect(try numbers.order(by: "n").start(after: [one]).sync.getDocuments().ids == ["2"])
        #expect(try numbers.whereField("n", isEqualTo: one).sync.getDocuments().ids == ["1"])
        #expect(try numbers.whereField("n", in: [one, false]).sync.getDocuments().ids == ["1"])
        let document = numbers.document("list")
        try document.sync.setData(["list": [1, true]])
        try document.sync.updateData(["list": FieldValue.arrayUnion([one])])
        #expect(try (document.sync.getDocument()["list"] as? [Any])?.count == 2)
        try document.sync.updateData(["list": FieldValue.arrayRemove([one])])
        #expect(try document.sync.getDocument()["list"] as? [Bool] == [true])
    }

    /// A merge names the paths that it changes, that of a nil too.
    @Test func aMergedNilIsNull() throws {
        let document = try Sample().database.document("types/nil")
        try document.sync.setData(["a": 1, "b": ["c": 1, "d": 2]])
        try document.sync.setData(["a": Int?.none as Any, "b": ["c": Int?.none]], merge: true)
        let snapshot = try document.sync.getDocument()
        #expect(snapshot["a"] is NSNull && snapshot["b.c"] is NSNull && snapshot["b.d"] as? Int == 2)
    }

    @Test func nsNumbersKeepTheTypeTheyWereMadeWith() throws {
        let document = try Sample().database.document("types/numbers")
        try document.sync.setData([
            "b": NSNumber(value: true), "i": NSNumber(value: 1), "d": NSNumber(value: 1.0),
            "f": NSNumber(value: Float(0.5)),
            "u": NSNumber(value: UInt64(7)),
        ])
        let snapshot = try document.sync.getDocument()
        #expect(type(of: try #require(snapshot["b"])) == Bool.self)
        #expect((snapshot["i"] as? NSNumber).map { String(cString: $0.objCType) } != "d")
        #expect((snapshot["d"] as? NSNumber).map { String(cString: $0.objCType) } == "d")
        #expect(snapshot["f"] as? Double == 0.5)
        #expect(snapshot["u"] as? Int == 7)
    }

    /// Foundation's dates have little more precision than a microsecond here. The microsecond survives both ways.
    @Test func datesKeepTheirMicrosecond() {
        for microseconds in stride(from: Int32(0), to: 1_000_000, by: 617) {
            for seconds in [Int64(-62_135_596_800), -1, 0, 1_700_000_000, 253_402_300_799] {
                let timestamp = Timestamp(seconds: seconds, nanoseconds: microseconds * 1_000)
                // Dates far from 2001 have less precision.
                if abs(seconds) < 1 << 32 { #expect(Timestamp(date: timestamp.dateValue()) == timestamp) }
            }
        }
        #expect(Timestamp(date: Date(timeIntervalSince1970: -0.5)) == Timestamp(seconds: -1, nanoseconds: 500_000_000))
    }

    /// The client library's texts (W-10, W-11, D-11, D-13, V-21), and values that no document can hold.
    @Test func refusedData() throws {
        let database = try Sample().database
        let document = database.document("types/refused")
        func refusal(_ data: [String: Any]) -> String? { text(.invalidArgument) { try document.sync.setData(data) } }
        #expect(
            refusal(["a": ["__x__": 1]])
                == "Invalid data. Document fields cannot begin and end with \"__\" (found in field a.__x__)")
        #expect(refusal(["a": ["": 1]]) == "Invalid data. Document fields must not be empty (found in field a)")
        #expect(refusal(["": 1]) == "Invalid data. Document fields must not be empty")
        #expect(refusal(["a": [[1]]]) == "Nested arrays are not supported")
        #expect(refusal(["a": [["b": [1]]]]) == nil)
        #expect(
            refusal(["a": FieldValue.delete()])
                == "FieldValue.delete() can only be used with updateData() and setData() with merge:true (found in field a)"
        )
        #expect(
            refusal(["a": [FieldValue.serverTimestamp()]])
                == "FieldValue.serverTimestamp() is not currently supported inside arrays")
        #expect(
            refusal(["a": [["b": FieldValue.increment(1)]]])
                == "FieldValue.increment() is not currently supported inside arrays")
        #expect(
            refusal(["a": FieldValue.arrayUnion([FieldValue.delete()])])
                == "FieldValue.delete() can only be used with updateData() and setData()")
        #expect(
            refusal(["a": ["b": UInt64.max]]) == "NSNumber (18446744073709551615) is too large (found in field a.b)")
        #expect(
            refusal(["a": NSNumber(value: UInt64.max)])
                == "NSNumber (18446744073709551615) is too large (found in field a)")
        #expect(refusal(["a": Calendar(identifier: .gregorian)]) == "Unsupported type: Calendar (found in field a)")
        #expect(refusal(["a": Date.distantPast]) == "Timestamp seconds out of range: -62135769600")
        #expect(
            refusal(["a": Date(timeIntervalSince1970: .infinity)]) == "Timestamp seconds out of range: \(Int64.max)")
        #expect(refusal(["a": Date(timeIntervalSince1970: .nan)]) == "Timestamp seconds out of range: \(Int64.min)")
        #expect(
            refusal(["a": Timestamp(seconds: .min, nanoseconds: 0)]) == "Timestamp seconds out of range: \(Int64.min)")
        #expect(refusal(["a": Timestamp(seconds: 0, nanoseconds: -1)]) == "Timestamp nanoseconds out of range: -1")
        #expect(
            refusal(["a": GeoPoint(latitude: 91, longitude: 0)])
                == "GeoPoint requires a latitude value in the range of [-90, 90], but was 91.0")
        #expect(
            refusal(["a": GeoPoint(latitude: 0, longitude: .nan)])?.hasPrefix("GeoPoint requires a longitude") == true)
        #expect(try !document.sync.getDocument().data()!.keys.contains("__x__"))
    }

    /// D-16: 20 levels are accepted, more are refused, and no depth traps.
    @Test func deepData() throws {
        let document = try Sample().database.document("types/deep")
        func nested(_ depth: Int) -> [String: Any] { (0..<depth).reduce(["leaf": 1]) { inner, _ in ["m": inner] } }
        try document.sync.setData(nested(20))
        for depth in [21, 22, 1_000] {
            #expect(
                text(.invalidArgument) { try document.sync.setData(nested(depth)) }
                    == "Property m contains an invalid nested entity.")
        }
    }

    @Test func referencesOfOtherDatabases() throws {
        let first = try Sample()
        let other = try Sample(projectID: "other")
        #expect(
            text(.invalidArgument) {
                try first.database.document("a/b").sync.setData(["r": ["s": other.database.document("x/y")]])
            }
                == "Document Reference is for database other/(default) but should be for database hearth/(default)"
                + " (found in field r.s)")
    }
}
