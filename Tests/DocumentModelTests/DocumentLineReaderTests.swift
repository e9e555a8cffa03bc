// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import TestSupport
import Testing

/// Compares the direct reader with the parser and reader that accept all lines.
@Suite struct DocumentLineReaderTests {
    private static let database = DatabaseID(project: "hearth")

    private typealias Read = (path: DocumentPath, fields: Fields)

    private func readThroughTree(_ line: [UInt8]) -> Read? {
        guard let node = try? JSONParser.parse(line) else { return nil }
        return try? DocumentJSON.read(node, database: Self.database)
    }

    /// A nil result is always allowed. Other results must equal those of the parser.
    private func check(_ line: [UInt8], _ reader: inout DocumentLineReader) -> Bool {
        guard let read = reader.read(line.span) else { return false }
        let expected = readThroughTree(line)
        #expect(
            expected?.path == read.path && expected?.fields.isIdentical(to: read.fields) == true,
            "\(String(decoding: line, as: UTF8.self))")
        return true
    }

    @Test func whatItReadsIsWhatTheParserReads() {
        var random = SeededGenerator.printingSeed()
        var reader = DocumentLineReader(database: Self.database)
        let generator = DocumentGenerator()
        let strange = Array("{}[]\",:\\ \u{0}-.0129eEtfnu\u{FF}".utf8) + [0xC3, 0xFF, 0x0A]
        var count = 0
        for _ in 0..<Rounds.of(2_000) {
            var writer = JSONWriter()
            DocumentJSON.write(generator.path(&random), generator.fields(&random), to: &writer, database: Self.database)
            var line = writer.bytes
            if check(line, &reader) { count += 1 }
            for _ in 0..<random.int(1..<4) {
                let place = random.int(0..<line.count)
                switch random.int(0..<3) {
                case 0: line[place] = random.pick(strange)
                case 1: line.insert(random.pick(strange), at: place)
                default: line.remove(at: place)
                }
                _ = check(line, &reader)
            }
        }
        #expect(count > Rounds.of(200), "most lines are left to the parser")
    }

    @Test(arguments: [
        #"{"name":"c/d","fields":{"a":{"integerValue":"-9"},"b":{"doubleValue":-0.0},"c":{"doubleValue":12.625}}}"#,
        #"{"name":"projects/hearth/databases/(default)/documents/c/d","fields":{"é":{"stringValue":"ünï"}}}"#,
        #"{"fields":{"b":{"booleanValue":true},"a":{"nullValue":null}},"name":"a/b/c/__id7__"}"#,
        #" { "name" : "c/d" , "fields" : { "t" : { "timestampValue" : "2024-01-01T01:00:00.5+01:00" } } } "#,
        #"{"name":"c/d","fields":{"l":{"arrayValue":{"values":[{"stringValue":"x"},{"mapValue":{}}]}},"m":{"arrayValue":{}}}}"#,
        #"{"name":"c/d","fields":{"v":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.5}]}}}}}}}"#,
    ])
    func commonFormsAreReadDirectly(_ line: String) {
        var reader = DocumentLineReader(database: Self.database)
        #expect(check(Array(line.utf8), &reader))
    }

    /// Errors, and text that only the parser reads.
    @Test(arguments: [
        "", "{}", #"{"name":"c/d"}"#.replacing("}", with: ""), #"{"name":"c"}"#, #"{"name":"c/"}"#, #"{"name":"/d"}"#,
        #"{"name":"c/d","name":"c/e"}"#, #"{"name":"projects/p/databases/q/documents/c/d"}"#,
        #"{"name":"c/d","fields":{"a":{"integerValue":"9223372036854775808"}}}"#,
        #"{"name":"c/d","fields":{"a":{"integerValue":"1"},"a":{"integerValue":"1"}}}"#,
        #"{"name":"c/d","fields":{"a":{"doubleValue":01}}}"#, #"{"name":"c/d","fields":{"a":{"doubleValue":1.}}}"#,
        #"{"name":"c/d","fields":{"a":{"doubleValue":1e3}}}"#, #"{"name":"c/d","fields":{"a":{"stringValue":"\n"}}}"#,
        #"{"name":"c/d","fields":{"a":{"nullValue":null,"booleanValue":true}}}"#, #"{"name":"c/d","fields":{"a":{}}}"#,
        #"{"name":"c/d","other":1}"#, #"{"name":"c/d"},"#, #"{"name":"c/d"} {"#,
    ])
    func restIsLeftToTheParser(_ line: String) {
        var reader = DocumentLineReader(database: Self.database)
        #expect(reader.read(Array(line.utf8).span) == nil)
    }

    /// The collection of the previous line is reused only if the name starts with it.
    @Test func namesAreReadOneByOne() {
        var reader = DocumentLineReader(database: Self.database)
        for name in ["c/d", "c/e", "cc/d", "a/b/c/d", "a/b/c/", "a/b/c/x/y", "c//d", "c/d", "projects/a/databases/b"] {
            let line = Array(#"{"name":"\#(name)"}"#.utf8)
            #expect(check(line, &reader) == (readThroughTree(line) != nil), "\(name)")
        }
    }
}
