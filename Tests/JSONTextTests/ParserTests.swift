// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

/// Text that RFC 8259 accepts, with the compact text of the parsed tree.
@Suite struct ParserTests {
    @Test(arguments: [
        ("null", "null"), (" true ", "true"), ("\t\r\n false\n", "false"),
        ("0", "0"), ("-0", "-0"), ("10", "10"), ("-1.50e+07", "-1.50e+07"), ("1E5", "1E5"), ("0.0e-0", "0.0e-0"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("\"\"", "\"\""), ("\"a\"", "\"a\""), ("\"\\u0061\\/\"", "\"a/\""), ("\"\u{7F}\"", "\"\u{7F}\""),
        ("\"\\b\\f\\n\\r\\t\\\"\\\\\"", "\"\\b\\f\\n\\r\\t\\\"\\\\\""), ("\"\\u0000\"", "\"\\u0000\""),
        ("\"\\uD83D\\uDE00\"", "\"😀\""), ("\"\\ud83d\\ude00\"", "\"😀\""), ("\"é日\u{10FFFF}\"", "\"é日\u{10FFFF}\""),
        ("\"e\\u0301\"", "\"e\u{301}\""), ("\"\\uFFFF\\uFEFF\"", "\"\u{FFFF}\u{FEFF}\""),
        ("[]", "[]"), ("[ ]", "[]"), ("[1 , 2]", "[1,2]"), ("[[],[[]]]", "[[],[[]]]"),
        ("{}", "{}"), ("{ }", "{}"), ("{\"a\" : 1 , \"b\":[ {} ]}", "{\"a\":1,\"b\":[{}]}"),
        ("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}"), ("{\"\":null}", "{\"\":null}"),
    ])
    func accepts(_ source: String, _ compact: String) throws {
        #expect(try JSONParser.parse(source).text() == compact)
        #expect(try JSONParser.parse(source, .withComments).text() == compact)
    }

    /// Each with the offset of the offending byte.
    @Test(arguments: [
        ("", 0), (" ", 0), ("\n\n", 0),
        ("nul", 0), ("nulll", 4), ("True", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("undefined", 0),
        ("01", 0), ("-01", 0), ("00", 0), ("1.", 2), (".5", 0), ("+1", 0), ("-", 1), ("1e", 2), ("1e+", 3), ("1.e3", 2),
        ("0x10", 1), ("1_000", 1), ("1 2", 2), ("--1", 1),
        ("\"", 0), ("\"abc", 0), ("\"\\", 2), ("\"\\\"", 0), ("\"\\x\"", 1), ("\"\\u12\"", 1), ("\"\\u12G4\"", 1),
        ("\"\\uD800\"", 1), ("\"\\uDC00\"", 1), ("\"\\uD800\\n\"", 1), ("\"\\uD800\\uD800\"", 1), ("\"a\\uDFFF\"", 2),
        ("\"\\uD800\\u00\"", 7), ("\"\u{1}\"", 1), ("\"a\nb\"", 2), ("\"a\tb\"", 2), ("'a'", 0),
        ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 2), ("[,1]", 1), ("[1 2]", 3), ("[1}", 2), ("]", 0), ("[1]]", 3),
        ("{", 1), ("{\"a\"", 4), ("{\"a\":", 5), ("{\"a\":1", 6), ("{\"a\":1,}", 6), ("{a:1}", 1), ("{'a':1}", 1),
        ("{\"a\" 1}", 5), ("{\"a\":1 \"b\":2}", 7), ("{1:2}", 1), ("{\"a\":1]", 6), ("{,}", 1), ("{\"a\":}", 5),
        ("}", 0),
        ("// x\n1", 0), ("/* x */ 1", 0), ("1 // x", 2), ("/", 0), ("1 # x", 2), ("\u{FEFF}1", 0), ("\u{A0}1", 0),
        ("1\u{0}", 1), ("é", 0),
    ])
    func refuses(_ source: String, at offset: Int) {
        expectError(Array(source.utf8), .strict, at: offset)
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0x61, 0xC3, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0x80, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0xFF, 0x22], 3), ([0x22, 0xE2, 0x82, 0x22], 1), ([0xFF], 0),
        ] as [([UInt8], Int)])
    func refusesWhatIsNotUTF8(_ source: [UInt8], at offset: Int) {
        expectError(source, .strict, at: offset)
    }

    @Test(arguments: [
        ("// x\n1", "1"), ("/* x */ 1", "1"), ("1 // x", "1"), ("1/**/", "1"),
        ("{/*a*/\"k\"//b\n:/*c*/1/*d*/}", "{\"k\":1}"),
        ("[/*a*/]", "[]"), ("\"/* // */\"", "\"/* // */\""), ("/* * / ** */1", "1"), ("//\r1", "1"), ("//é\n1", "1"),
    ])
    func acceptsComments(_ source: String, _ compact: String) throws {
        #expect(try JSONParser.parse(source, .withComments).text() == compact)
    }

    @Test(arguments: [
        ("// x", 0), ("/* x", 0), ("1 /*/", 2), ("/ 1", 0), ("1 /", 2), ("[1,// x\n]", 2), ("/* x */", 0),
    ])
    func refusesWithComments(_ source: String, at offset: Int) {
        expectError(Array(source.utf8), .withComments, at: offset)
    }

    @Test func refusesBadUTF8InComments() {
        expectError([0x2F, 0x2F, 0xFF, 0x0A, 0x31], .withComments, at: 2)
    }

    @Test func saysWhatToDoAboutATrailingComma() {
        #expect(
            throws: JSONSyntaxError(
                message: "trailing comma: nothing follows it before the closing ], remove it", offset: 2)
        ) {
            try JSONParser.parse("[1,]", .withComments)
        }
    }

    @Test func notesTrailingCommas() throws {
        var commas: [Int] = []
        let node = try JSONParser.parse(Array("{\"a\":[1,2,],/* */}".utf8), notingTrailingCommas: &commas)
        #expect(node.text() == "{\"a\":[1,2]}")
        #expect(commas == [9, 11])
        #expect(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array("[,]".utf8), notingTrailingCommas: &commas)
        }
    }

    @Test func nestsToTheLimitAndNoFurther() throws {
        let limit = JSONParser.maximumDepth
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(try JSONParser.parse(deepest).text() == deepest)
        expectError(Array(("[" + deepest + "]").utf8), .strict, at: limit)
        expectError([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000), .strict, at: limit)
        let objects = String(repeating: "{\"a\":", count: 100_000)
        expectError(Array(objects.utf8), .withComments, at: 5 * limit)
    }

    @Test func keepsOffsetsOfKeysAndValues() throws {
        let node = try JSONParser.parse(" {\"é\": [10, null], \"b\" :\"x\"} ")
        let members = try #require(node.members)
        #expect(node.offset == 1)
        #expect(members.map(\.keyOffset) == [2, 20])
        #expect(members.map(\.node.offset) == [8, 25])
        #expect(members[0].node.elements?.map(\.offset) == [9, 13])
    }

    @Test func offsetsCountFromTheSpanThatWasPassed() throws {
        let lines = Array("{\"a\":1}\n{\"a\":2}\n[1,]".utf8)
        let second = try JSONParser.parse(lines.span.extracting(8..<15))
        #expect(second["a"]?.number?.int64 == 2)
        #expect(second["a"]?.offset == 5)
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(lines.span.extracting(16..<20)) }
        do {
            _ = try JSONParser.parse(lines.span.extracting(16..<20))
        } catch {
            #expect(error.offset == 2)
        }
    }

    @Test func theLastOfRepeatedKeysCounts() throws {
        let node = try JSONParser.parse("{\"a\":1,\"b\":true,\"a\":2}")
        #expect(node["a"]?.number?.int64 == 2)
        #expect(node["b"]?.boolean == true)
        #expect(node["c"] == nil)
        #expect(try JSONParser.parse("[]")["a"] == nil)
    }

    @Test func keysCompareByBytes() throws {
        let node = try JSONParser.parse("{\"\\u00e9\":1,\"e\\u0301\":2}")
        #expect(node["\u{E9}"]?.number?.int64 == 1)
        #expect(node["e\u{301}"]?.number?.int64 == 2)
    }

    private func expectError(_ source: [UInt8], _ dialect: JSONParser.Dialect, at offset: Int) {
        do {
            let node = try JSONParser.parse(source, dialect)
            Issue.record("\(String(decoding: source.prefix(40), as: UTF8.self)) was read as \(node.text())")
        } catch {
            #expect(error.offset == offset, "\(error.message)")
            #expect(!error.message.isEmpty)
        }
    }
}
