// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// How values of each type are stored and ordered, as queries show it.
@Suite struct RulesValueOrderTests {
    /// Documents named by letters in the order of the values, queried in both directions.
    private func expectAscending(_ values: [Value]) throws {
        let letters = values.indices.map { Text(String(UnicodeScalar(UInt8(97 + $0)))) }
        // The order of names is the reverse, so that it cannot be mistaken for the order of values.
        let documents = zip(letters.reversed(), values).map { (DocumentPath(ResourcePath(segments: ["c", $0])), $1) }
        let database = try RuleDatabase(
            Dictionary(uniqueKeysWithValues: documents.map { ($0.0, Fields([Field("v", $0.1)])!) }))
        let expected = letters.reversed().map(\.string)
        #expect(try database.names(#"c.orderBy("v")"#) == expected.joined(separator: " "))
        #expect(try database.names(#"c.orderBy("v","desc")"#) == expected.reversed().joined(separator: " "))
    }

    static let oneOfEach: [Value] = [
        nil, true, -1, 1.5, .timestamp(.maximum), "a", .bytes([1]),
        .reference(Reference(database: DatabaseID(project: "hearth"), path: ResourcePath(segments: ["c", "x"]))),
        .geoPoint(GeoPoint(latitude: 1, longitude: 2)!), [1], .vector([1]), ["k": 1],
    ]

    @Test("V-1 a value of every type is stored and read as it was written")
    func everyType() throws {
        let fields = Fields(Self.oneOfEach.enumerated().map { Field(Text("f\($0)"), $1) })!
        let database = try RuleDatabase(["c/a": fields])
        #expect(try database.engine.document("c/a")?.fields.isIdentical(to: fields) == true)
        #expect(try database.names(#"c.orderBy("missing")"#) == "")
    }

    @Test("V-2 types sort null, boolean, number, timestamp, string, bytes, reference, geo point, array, vector, map")
    func typesInOrder() throws { try expectAscending(Self.oneOfEach) }

    @Test("V-6 V-7 null equals null, false is before true")
    func nullsAndBooleans() throws {
        let database = try RuleDatabase(values: ["d": true, "c": nil, "b": false, "a": nil])
        #expect(try database.names(#"c.orderBy("v")"#) == "a c b d")
        #expect(try database.names(#"c.orderBy("v","desc")"#) == "d b c a")
    }

    @Test("V-8 integers and doubles come back as what they were, also from sums of index entries")
    func numbersKeepTheirType() throws {
        let database = try RuleDatabase(["c/a": ["v": 3, "w": 1], "c/b": ["v": 3.0, "w": 2]])
        #expect(try database.engine.document("c/a")?.fields.isIdentical(to: ["v": 3, "w": 1]) == true)
        #expect(try database.engine.document("c/b")?.fields.isIdentical(to: ["v": 3.0, "w": 2]) == true)
        let sums = try database.engine.run(
            AggregationQuery(
                .collection("c"), [Aggregation(alias: nil, .sum("w"))]))
        #expect(sums.aggregates[0].value.isIdentical(to: 3))
        let doubles = try database.engine.run(
            AggregationQuery(.collection("c"), [Aggregation(alias: nil, .sum("v"))]))
        #expect(doubles.aggregates[0].value.isIdentical(to: 6.0))
    }

    @Test("V-9 V-12 integers and doubles sort together, exactly beyond 2^53")
    func mixedNumbers() throws {
        try expectAscending([
            .double(-0x1.0000000000001p63), .integer(.min), -1.5, -1, 0.5, 1, 1.5, .double(0x1p53),
            .integer(9_007_199_254_740_993), .double(9_007_199_254_740_994), .integer(.max), .double(0x1p63),
        ])
        let database = try RuleDatabase(values: ["a": .double(0x1p53), "b": .integer(9_007_199_254_740_993)])
        #expect(try database.names(#"c.where("v","==",9007199254740993)"#) == "b")
        #expect(try database.names(#"c.where("v",">",9007199254740992)"#) == "b")
    }

    @Test("V-10 NaN is the first number, minus zero is zero")
    func specialNumbers() throws {
        try expectAscending([
            false, .double(.nan), .double(-.infinity), -1, 0, 1, .double(.infinity), .timestamp(.minimum),
        ])
        let database = try RuleDatabase(values: ["c": 0.0, "b": .double(-0.0), "a": 0, "d": .double(.nan)])
        #expect(try database.names(#"c.orderBy("v")"#) == "d a b c")
    }

    @Test("V-11 V-25 equal numbers are equal to every operator; ties go by name; null and NaN operands equal nothing")
    func numericTies() throws {
        let database = try RuleDatabase(values: [
            "b": 3, "a": 3.0, "c": 4, "n": nil, "x": .double(.nan), "l": [3.0, 5],
        ])
        for query in [
            #"c.where("v","==",3)"#, #"c.where("v","==",3.0)"#, #"c.where("v","in",[3.0])"#, #"c.where("v","<=",3)"#,
        ] {
            #expect(try database.names(query) == "a b", "\(query)")
        }
        #expect(try database.names(#"c.where("v","!=",3.0)"#) == "x c l")
        #expect(try database.names(#"c.where("v","not-in",[3])"#) == "x c l")
        #expect(try database.names(#"c.where("v","array-contains",3)"#) == "l")
        for operand in [Value.null, .double(.nan)] {
            #expect(try database.names(Query.collection("c").with { $0.filter = .field("v", .equal, operand) }) == "")
        }
    }

    @Test("V-13 timestamps sort by time, digits below a microsecond are cut, and what is out of range is refused")
    func timestamps() throws {
        try expectAscending([
            .timestamp(.minimum), .timestamp(Timestamp(microseconds: -1)!), .timestamp(Timestamp(microseconds: 0)!),
            .timestamp(Timestamp(microseconds: 1)!), .timestamp(.maximum),
        ])
        #expect(Timestamp(seconds: 1, nanoseconds: 999_999_999) == Timestamp(microseconds: 1_999_999))
        #expect(throws: QueryTextError.self) {
            try QueryText.parse(
                #"c.where("v","<",Timestamp("10000-01-01T00:00:00Z"))"#, database: DatabaseID(project: "hearth"))
        }
    }

    @Test("V-14 strings sort by their UTF-8 bytes, unnormalised")
    func strings() throws {
        try expectAscending([
            "", "Sierpiński", "e\u{301}", "é", "Łukasiewicz", "你好", "你顥", "岩澤", "︒", "Ｐ", "🄟", "🐵", "😀", "😁",
        ])
        let database = try RuleDatabase(values: ["a": "é", "b": "e\u{301}"])
        #expect(try database.names(#"c.where("v","==","é")"#) == "a")
    }

    @Test("V-15 bytes sort unsigned, a prefix first")
    func byteStrings() throws {
        try expectAscending([.bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([0x7F]), .bytes([0x80]), .bytes([0xFF])])
    }

    @Test("V-16 references sort by project, database and path")
    func references() throws {
        func reference(_ project: Text, _ database: Text, _ path: Text...) -> Value {
            .reference(
                Reference(
                    database: DatabaseID(project: project, database: database), path: ResourcePath(segments: path)))
        }
        try expectAscending([
            reference("a", "(default)", "z", "z"), reference("hearth", "(default)", "c", "__id-5__"),
            reference("hearth", "(default)", "c", "__id7__"), reference("hearth", "(default)", "c", "__id12__"),
            reference("hearth", "(default)", "c", "a"), reference("hearth", "(default)", "c", "a", "b", "c"),
            reference("hearth", "(default)", "c", "a!"), reference("hearth", "other", "a", "a"),
        ])
    }

    @Test("V-17 geo points sort by latitude, then longitude")
    func geoPoints() throws {
        try expectAscending(
            [(-90.0, 180.0), (0, -1), (0, 0), (0, 1), (0.5, -180)].map {
                .geoPoint(GeoPoint(latitude: $0.0, longitude: $0.1)!)
            })
        #expect(GeoPoint(latitude: 90.5, longitude: 0) == nil)
    }

    @Test("V-18 arrays sort element by element across types, then the shorter first")
    func arrays() throws { try expectAscending([[], [nil], [1, 2, 3], [1, 2, 3, 1], [2], ["a"], [["k": 1]]]) }

    @Test("V-19 maps sort by first key, first value, second key and so on")
    func maps() throws {
        try expectAscending([
            [:], ["a": "aaa", "b": "baz"], ["a": "foo", "b": "bar"], ["a": "foo", "b": "bar", "c": "qux"],
            ["a": "foo", "b": "baz"], ["b": "aaa", "c": "baz"], ["c": "aaa"],
        ])
    }

    @Test("V-20 vectors sort by dimension, then element by element")
    func vectors() throws {
        try expectAscending([.vector([100]), .vector([0, 1]), .vector([1, -1]), .vector([0, 0, 0])])
    }

    @Test("V-21 an array cannot directly hold an array; a map in between may")
    func nestedArrays() throws {
        let database = try RuleDatabase(["c/a": ["v": [["k": [1]]]]])
        #expect(throws: EngineError.self) { try database.engine.commit([.set("c/b", ["v": [[1]]])]) }
        #expect(try database.names("c") == "a")
    }
}
