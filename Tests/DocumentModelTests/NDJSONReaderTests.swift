// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import JSONText
import TestSupport
import Testing

@Suite struct NDJSONReaderTests {
    private static let database = DatabaseID(project: "hearth")

    /// Every entry as text, values to the bit.
    private func entries(_ source: [UInt8], inPiecesOf size: Int = 1 << 20, readsDirectly: Bool) throws -> [String] {
        var reader = NDJSONReader(
            lines(of: source, inPiecesOf: size, maximumLength: 4_000), database: Self.database, plain: nil,
            readsDirectly: readsDirectly)
        var result: [String] = []
        while let entry = try reader.next() {
            switch entry {
            case .refused(let refusal):
                result.append("\(refusal.line):\(refusal.column.map(String.init) ?? "-") \(refusal.reason)")
            case .document(let path, let fields):
                result.append("\(path) \(StoredDocumentEncoder.content(of: fields, database: Self.database))")
            }
        }
        return result
    }

    /// The fast reader changes no entry: random documents, half of them damaged.
    @Test func bothWaysGiveTheSameEntries() throws {
        var random = SeededGenerator.printingSeed()
        var fuzz = JSONFuzz(seed: random.next())
        let generator = DocumentGenerator()
        var source: [UInt8] = []
        for _ in 0..<Rounds.of(5_000) {
            var writer = JSONWriter()
            DocumentJSON.write(generator.path(&random), generator.fields(&random), to: &writer, database: Self.database)
            source += fuzz.chance(50) ? fuzz.damage(writer.bytes) : writer.bytes
            source.append(UInt8(ascii: "\n"))
        }
        let direct = try entries(source, readsDirectly: true)
        #expect(direct == (try entries(source, readsDirectly: false)))
        let refused = direct.count { $0.first?.isNumber == true && $0.contains(":") }
        #expect(refused > Rounds.of(500) && direct.count - refused > Rounds.of(500))
        #expect(direct == (try entries(source, inPiecesOf: random.int(1..<5_000), readsDirectly: true)))
    }

    private static let hard = [
        "\u{FEFF}{\"name\":\"c/1\"}", #"{"name":"c/2"}"# + "\r", "", "  \t\r", #"{"name":"c/3"}"# + "\u{0}",
        #"{"name":"c/\#u{0}"}"#, #"{"name":"c/5","fields":{"é":{"nonsense":1}}}"#, "[1]", "{",
        #"{"name":"c/6","fields":{"a":{"stringValue":"\#(String(repeating: "x", count: 4_000))"}}}"#,
        #"{"name":"c/7"}"#,
    ]

    @Test func everyPieceSize() throws {
        let source = Array(Self.hard.joined(separator: "\n").utf8)
        let content = StoredDocumentEncoder.content(of: .empty, database: Self.database)
        let expected = [
            "1:1 the text begins with a byte order mark: save it as UTF-8 without one", "c/2 \(content)",
            "5:15 unexpected byte 0x0: the text must end after the first value",
            #"6:12 a control character in a string is written as an escape: \u0000"#,
            #"7:30 Unknown value type "nonsense""#, "8:1 A document is an object", "9:2 the text ends too early",
            "10:- the line is longer than 0 MiB", "c/7 \(content)",
        ]
        let whole = try entries(source, readsDirectly: true)
        #expect(whole.count == expected.count)
        for (entry, beginning) in zip(whole, expected) { #expect(entry.hasPrefix(beginning), "\(entry)") }
        for size in Array(1...300) + [3_999, 4_000, 4_001, source.count] {
            #expect(try entries(source, inPiecesOf: size, readsDirectly: size % 2 == 0) == whole, "pieces of \(size)")
        }
    }

    @Test func plainObjects() throws {
        let plain = PlainDocumentReader(try CollectionPath(parsing: "c"), idField: "id")
        let source = Array("{\"id\":1}\n{\"id\":true}\n{\"name\":\"c/d\"}\n".utf8)
        var reader = NDJSONReader(lines(of: source, inPiecesOf: 3), database: Self.database, plain: plain)
        guard case .document(let path, let fields)? = try reader.next() else { throw Unexpected() }
        #expect(path.description == "c/1" && fields["id" as Text] == .integer(1))
        for column in [7, 1] {
            guard case .refused(let refusal)? = try reader.next() else { throw Unexpected() }
            #expect(refusal.column == column, "\(refusal.reason)")
        }
        #expect(reader.refusal("no").line == 3 && reader.refusal("no").column == nil)
        #expect(try reader.next() == nil)
    }

    private struct Unexpected: Error {}
}
