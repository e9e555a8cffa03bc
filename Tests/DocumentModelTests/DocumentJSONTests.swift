// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import TestSupport
import Testing

@Suite struct DocumentJSONTests {
    private static let database = DatabaseID(project: "hearth")

    @Test(arguments: [
        #"{"name":"c/d","fields":{"a":{"integerValue":"1"}}}"#, #"{"fields":{"a":{"integerValue":1}},"name":"c/d"}"#,
        #"{"name":"projects/hearth/databases/(default)/documents/c/d","fields":{"a":{"integerValue":"1"}},"createTime":"x","updateTime":"y"}"#,
    ])
    func reads(_ json: String) throws {
        let (path, fields) = try DocumentJSON.read(JSONParser.parse(json), database: Self.database)
        #expect(path == "c/d")
        #expect(fields.isIdentical(to: ["a": 1]))
    }

    @Test func writesAndReadsACollectionOfProjects() throws {
        for path: DocumentPath in ["projects/a", "projects/a/databases/b", "projects/a/databases/b/documents/c"] {
            var writer = JSONWriter()
            DocumentJSON.write(path, [:], to: &writer, database: Self.database)
            #expect(try DocumentJSON.read(JSONParser.parse(writer.string), database: Self.database).path == path)
        }
    }

    @Test func aDocumentMayHaveNoFields() throws {
        let (path, fields) = try DocumentJSON.read(JSONParser.parse(#"{"name":"c/d"}"#), database: Self.database)
        #expect(path == "c/d" && fields.isEmpty)
    }

    /// `^` precedes the offending byte.
    @Test(arguments: [
        "^[]", "^{}", #"^{"fields":{}}"#, #"{"name":^"c"}"#, #"{"name":^1}"#, #"{"name":^""}"#,
        #"{"name":"c/d","fields":^[]}"#,
        #"{"name":"c/d","fields":{"a":^1}}"#, #"{"name":"c/d",^"a":1}"#,
        #"{"name":^"projects/other/databases/(default)/documents/c/d"}"#,
        #"{"name":^"projects/hearth/databases/(default)/documents/c"}"#,
    ])
    func refuses(_ marked: String) throws {
        let node = try JSONParser.parse(marked.replacing("^", with: ""))
        let error = #expect(throws: DocumentFormError.self) { try DocumentJSON.read(node, database: Self.database) }
        #expect(error?.offset == Array(marked.utf8).firstIndex(of: UInt8(ascii: "^")), "\(error?.message ?? "")")
    }

    /// Integers if a number has no fraction and fits, otherwise doubles.
    @Test(
        arguments: [
            ("5", 5), ("5.0", 5.0), ("5e0", 5.0), ("-0", 0), ("-0.0", .double(-0.0)),
            ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .double(0x1p63)), ("-9223372036854775808", .integer(.min)), ("0.1", 0.1),
            ("\"5\"", "5"),
            ("null", nil), ("true", true), ("[1,\"a\",null]", [1, "a", nil]),
            ("{\"b\":1,\"a\":{}}", ["a": [:], "b": 1]),
        ] as [(String, Value)])
    func readsPlainValues(_ json: String, _ value: Value) throws {
        #expect(try PlainJSON.read(JSONParser.parse(json)).isIdentical(to: value))
    }

    @Test(arguments: [
        "{\"a\":^1e999}", "{\"a\":[^-1e999]}", "{\"a\":1,^\"a\":2}", "{\"m\":{\"a\":1,^\"a\":2}}", "^[]", "^5",
    ])
    func refusesPlainDocuments(_ marked: String) throws {
        let node = try JSONParser.parse(marked.replacing("^", with: ""))
        let error = #expect(throws: DocumentFormError.self) { try PlainJSON.readFields(node) }
        #expect(error?.offset == Array(marked.utf8).firstIndex(of: UInt8(ascii: "^")), "\(error?.message ?? "")")
    }

    /// Names that are equal as `String`s are two fields.
    @Test func canonicalEquivalentsAreTwoFields() throws {
        let fields = try PlainJSON.readFields(JSONParser.parse("{\"\u{E9}\":1,\"e\u{301}\":2}"))
        #expect(fields.count == 2)
        #expect(fields["\u{E9}" as Text] == 1)
    }
}
