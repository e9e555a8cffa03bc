// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import TestSupport
import Testing

/// Values and documents as JSON.
@Suite struct ValueJSONTests {
    private static let database = DatabaseID(project: "hearth")

    @Test func generatedValuesComeBackIdentical() throws {
        let values = ValueGenerator()
        try check(count: Rounds.of(6_000), generate: { values.value(&$0) }) { value in
            var writer = JSONWriter()
            ValueJSON.write(value, to: &writer, database: Self.database)
            let read = try ValueJSON.read(JSONParser.parse(writer.string), database: Self.database)
            return read.isIdentical(to: value) ? nil : "\(writer.string) reads as \(read)"
        }
    }

    @Test func hardCasesComeBackIdentical() throws {
        for value in Array(HardCases.ascendingGroups.joined()) + KeyReaderTests.edges.map(Value.integer) {
            var writer = JSONWriter()
            ValueJSON.write(value, to: &writer, database: Self.database)
            let read = try ValueJSON.read(JSONParser.parse(writer.string), database: Self.database)
            #expect(read.isIdentical(to: value), "\(writer.string)")
        }
    }

    @Test func generatedDocumentsComeBackIdentical() throws {
        let documents = Documents()
        try check(
            count: Rounds.of(1_500),
            generate: { random in
                (DocumentPath(documents.values.reference(&random).path), documents.document(&random).fields)
            }
        ) { path, fields in
            var writer = JSONWriter()
            DocumentJSON.write(path, fields, to: &writer, database: Self.database)
            let read = try DocumentJSON.read(JSONParser.parse(writer.string), database: Self.database)
            return read.path == path && read.fields.isIdentical(to: fields) ? nil : writer.string
        }
    }

    /// The exact output.
    @Test(
        arguments: [
            (nil, #"{"nullValue":null}"#), (true, #"{"booleanValue":true}"#), (5, #"{"integerValue":"5"}"#),
            (.integer(.min), #"{"integerValue":"-9223372036854775808"}"#), (2.5, #"{"doubleValue":2.5}"#),
            (.double(-0.0), #"{"doubleValue":-0.0}"#), (.double(.nan), #"{"doubleValue":"NaN"}"#),
            (.double(-.infinity), #"{"doubleValue":"-Infinity"}"#),
            (.double(.infinity), #"{"doubleValue":"Infinity"}"#),
            (.timestamp(Timestamp(microseconds: 1_000)!), #"{"timestampValue":"1970-01-01T00:00:00.001Z"}"#),
            ("a\"b", #"{"stringValue":"a\"b"}"#), (.bytes([0xFF]), #"{"bytesValue":"/w=="}"#),
            ([], #"{"arrayValue":{"values":[]}}"#),
            ([1], #"{"arrayValue":{"values":[{"integerValue":"1"}]}}"#), ([:], #"{"mapValue":{"fields":{}}}"#),
            (["b": 1, "a": nil], #"{"mapValue":{"fields":{"a":{"nullValue":null},"b":{"integerValue":"1"}}}}"#),
            (
                .geoPoint(GeoPoint(latitude: 1, longitude: -2.5)!),
                #"{"geoPointValue":{"latitude":1.0,"longitude":-2.5}}"#
            ),
            (
                .vector([1, .nan]),
                #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.0},{"doubleValue":"NaN"}]}}}}}"#
            ),
            (.reference(HardCases.near("c/d")), #"{"referenceValue":"c/d"}"#),
            (.reference(HardCases.near("projects/x")), #"{"referenceValue":"projects/x"}"#),
            (
                .reference(HardCases.near("projects/p/databases/d/documents/x")),
                #"{"referenceValue":"projects/hearth/databases/(default)/documents/projects/p/databases/d/documents/x"}"#
            ),
            (
                .reference(HardCases.near("c/d", project: "far")),
                #"{"referenceValue":"projects/far/databases/(default)/documents/c/d"}"#
            ),
        ] as [(Value, String)])
    func writes(_ value: Value, _ json: String) throws {
        var writer = JSONWriter()
        ValueJSON.write(value, to: &writer, database: Self.database)
        #expect(writer.string == json)
        #expect(try ValueJSON.read(JSONParser.parse(json), database: Self.database).isIdentical(to: value))
    }

    /// Other accepted spellings.
    @Test(
        arguments: [
            (#"{"nullValue":"NULL_VALUE"}"#, nil), (#"{"integerValue":5}"#, 5), (#"{"integerValue":-0}"#, 0),
            (#"{"doubleValue":5}"#, 5.0), (#"{"doubleValue":"1.5"}"#, 1.5), (#"{"doubleValue":1e3}"#, 1_000.0),
            (#"{"doubleValue":1e-999}"#, 0.0), (#"{"arrayValue":{}}"#, []), (#"{"mapValue":{}}"#, [:]),
            (#"{"null_value":0}"#, nil), (#"{"nullValue":0}"#, nil), (#"{"integer_value":"5"}"#, 5),
            (#"{"integerValue":5.0}"#, 5), (#"{"integerValue":1e3}"#, 1_000), (#"{"integerValue":"1E3"}"#, 1_000),
            (#"{"integerValue":50e-1}"#, 5), (#"{"integerValue":-0.0}"#, 0),
            (#"{"integerValue":"9007199254740993.0"}"#, 9_007_199_254_740_993),
            (#"{"integerValue":9223372036854775807.0}"#, .integer(.max)),
            (#"{"integerValue":12345678901234567890e-1}"#, 1_234_567_890_123_456_789),
            (#"{"integerValue":1e18}"#, 1_000_000_000_000_000_000), (#"{"integerValue":0e999}"#, 0),
            (#"{"array_value":{"values":[{"boolean_value":true}]}}"#, [true]),
            (#"{"map_value":{"fields":{"a_b":{"string_value":"x"}}}}"#, ["a_b": "x"]),
            (#"{"bytes_value":"/w=="}"#, .bytes([0xFF])), (#"{"double_value":1.5}"#, 1.5),
            (#"{"geo_point_value":{"longitude":3}}"#, .geoPoint(GeoPoint(latitude: 0, longitude: 3)!)),
            (#"{"timestamp_value":"1970-01-01T00:00:00Z"}"#, .timestamp(Timestamp(microseconds: 0)!)),
            (#"{"reference_value":"c/d"}"#, .reference(HardCases.near("c/d"))),
            (#"{"integer_value":null,"null_value":null}"#, nil),
            (#"{"arrayValue":{"values":null}}"#, []), (#"{"mapValue":{"fields":null}}"#, [:]),
            (#"{"integerValue":null,"stringValue":"a"}"#, "a"), (#"{"integerValue":null,"nullValue":null}"#, nil),
            (
                #"{"geoPointValue":{"latitude":null,"longitude":3}}"#,
                .geoPoint(GeoPoint(latitude: 0, longitude: 3)!)
            ),
            (#"{"bytesValue":"_w"}"#, .bytes([0xFF])),
            (#"{"timestampValue":"1970-01-01T01:00:00+01:00"}"#, .timestamp(Timestamp(microseconds: 0)!)),
            (#"{"geoPointValue":{}}"#, .geoPoint(GeoPoint(latitude: 0, longitude: 0)!)),
            (#"{"geoPointValue":{"longitude":-180}}"#, .geoPoint(GeoPoint(latitude: 0, longitude: -180)!)),
            (
                #"{"mapValue":{"fields":{"value":{"arrayValue":{"values":[{"doubleValue":1}]}},"__type__":{"stringValue":"__vector__"}}}}"#,
                .vector([1])
            ),
            (
                #"{"referenceValue":"projects/hearth/databases/(default)/documents/c/d"}"#,
                .reference(HardCases.near("c/d"))
            ),
        ] as [(String, Value)])
    func reads(_ json: String, _ value: Value) throws {
        #expect(try ValueJSON.read(JSONParser.parse(json), database: Self.database).isIdentical(to: value))
    }

    /// Refusals and their positions: `^` precedes the offending byte.
    @Test(arguments: [
        "^5", "^[]", "^{}", #"{"integerValue":"1",^"doubleValue":1}"#,
        #"{"stringValue":"a",^"integerValue":null}"#, #"{"nullValue":null,^"integerValue":null}"#,
        #"{^"fooValue":1}"#, #"{^"IntegerValue":"1"}"#,
        #"{^"null_Value":null}"#, #"{^"Integer_Value":"1"}"#, #"{^"integer__value":"1"}"#,
        #"{"nullValue":^1}"#, #"{"nullValue":^false}"#, #"{"booleanValue":^"true"}"#, #"{"integerValue":^1.5}"#,
        #"{"integerValue":^5e-1}"#, #"{"integerValue":^1e19}"#, #"{"integerValue":^1e999999999999}"#,
        #"{"integerValue":^9223372036854775808.0}"#, #"{"integerValue":^"0x5"}"#, #"{"integerValue":^" 5"}"#,
        #"{"integerValue":^1e-9223372036854775808}"#,
        #"{"integerValue":^"9223372036854775808"}"#, #"{"integerValue":^""}"#, #"{"integerValue":^null}"#,
        #"{"doubleValue":^1e999}"#, #"{"doubleValue":^"nan"}"#, #"{"doubleValue":^"inf"}"#, #"{"doubleValue":^""}"#,
        #"{"doubleValue":^true}"#, #"{"timestampValue":^"not a time"}"#, #"{"timestampValue":^0}"#,
        #"{"timestampValue":^"0000-01-01T00:00:00Z"}"#, #"{"stringValue":^1}"#, #"{"bytesValue":^"!!!"}"#,
        #"{"bytesValue":^1}"#, #"{"referenceValue":^"c"}"#, #"{"referenceValue":^""}"#, #"{"referenceValue":^1}"#,
        #"{"referenceValue":^"a//b/c"}"#, #"{"geoPointValue":^5}"#, #"{"geoPointValue":^[1,2]}"#,
        #"{"geoPointValue":^null}"#,
        #"{"geoPointValue":{"latitude":^91}}"#, #"{"geoPointValue":{"longitude":^-180.5}}"#,
        #"{"geoPointValue":{"latitude":^"1"}}"#,
        #"{"geoPointValue":{^"lat":1,"lng":2}}"#, #"{"arrayValue":^[]}"#, #"{"arrayValue":{"values":^{}}}"#,
        #"{"arrayValue":{^"value":[]}}"#, #"{"arrayValue":{"values":[{"nullValue":null},^3]}}"#, #"{"mapValue":^[]}"#,
        #"{"mapValue":{"fields":^[]}}"#, #"{"mapValue":{^"a":{"nullValue":null}}}"#,
        #"{"mapValue":{"fields":{"a":{"nullValue":null},^"a":{"nullValue":null}}}}"#,
        #"{"mapValue":{"fields":{"a":^1}}}"#,
    ])
    func refuses(_ marked: String) throws {
        let json = marked.replacing("^", with: "")
        let node = try JSONParser.parse(json)
        let offset = Array(marked.utf8).firstIndex(of: UInt8(ascii: "^"))
        let error = #expect(throws: DocumentFormError.self) { try ValueJSON.read(node, database: Self.database) }
        #expect(error?.offset == offset, "\(error?.message ?? "")")
    }

    /// Production's text where it is known.
    @Test(arguments: [
        (
            #"{"geoPointValue":{"latitude":91,"longitude":0}}"#,
            "Geo point latitude '91.0' outside permitted range -90.0 to 90.0."
        ),
        (
            #"{"geoPointValue":{"longitude":-181}}"#,
            "Geo point longitude '-181.0' outside permitted range -180.0 to 180.0."
        ),
        (#"{}"#, "Cannot convert firestore.v1.Value with type unset."),
        (
            #"{"referenceValue":"projects/hearth/databases/(default)/documents/c"}"#,
            "Document name \"projects/hearth/databases/(default)/documents/c\" lacks \"/\" at index 47."
        ),
    ])
    func refusesInProductionsWords(_ json: String, _ message: String) throws {
        let node = try JSONParser.parse(json)
        let error = #expect(throws: DocumentFormError.self) { try ValueJSON.read(node, database: Self.database) }
        #expect(error?.message == message)
    }

    /// Any tree gives values, or an error at a position inside the text.
    @Test func alteredValuesNeverTrap() throws {
        var random = SeededGenerator.printingSeed()
        var fuzz = JSONFuzz(seed: random.next())
        let values = ValueGenerator(allowsLong: false)
        var refused = 0
        for _ in 0..<Rounds.of(3_000) {
            var writer = JSONWriter()
            ValueJSON.write(values.value(&random), to: &writer, database: Self.database)
            let text = fuzz.spell(fuzz.alter(try JSONParser.parse(writer.string)))
            do throws(DocumentFormError) {
                let node = try! JSONParser.parse(text)
                _ = try ValueJSON.read(node, database: Self.database)
            } catch {
                refused += 1
                if !(0..<text.utf8.count).contains(error.offset ?? -1) { Issue.record("\(error) in \(text)") }
            }
        }
        #expect(refused > Rounds.of(500))
    }
}

extension HardCases {
    static func near(_ path: String, project: Text = "hearth") -> Reference {
        Reference(
            database: DatabaseID(project: project),
            path: ResourcePath(segments: path.split(separator: "/").map { Text(String($0)) }))
    }
}
