// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// V-14: text is its UTF-8 bytes.
@Suite struct TextTests {
    /// The order of Google's own production test, for values, array elements, map values, map keys and document IDs.
    static let ascending: [Text] = [
        "Sierpiński", "Łukasiewicz", "你好", "你顥", "岩澤", "︒", "Ｐ", "🄟", "🐵", "😀", "😁",
    ]

    @Test func ordersByCodePoint() {
        for (left, one) in Self.ascending.enumerated() {
            for (right, other) in Self.ascending.enumerated() {
                let expected = (left - right).signum()
                #expect(Text.compare(one, other).signum() == expected)
                #expect((one < other) == (expected < 0))
                #expect(ResourcePath.compareSegments(one, other).signum() == expected)
                for wrap: (Text) -> Value in [
                    { .string($0) }, { [.string($0)] }, { ["k": .string($0)] }, { .map(Fields([Field($0, nil)])!) },
                ] {
                    #expect(Value.compare(wrap(one), wrap(other)).signum() == expected)
                    #expect(compareBytes(key(wrap(one)), key(wrap(other))).signum() == expected)
                }
            }
        }
    }

    @Test func hardCasesAscend() {
        for (left, one) in HardCases.strings.enumerated() {
            for (right, other) in HardCases.strings.enumerated() {
                #expect(Text.compare(one, other).signum() == (left - right).signum(), "\(one) \(other)")
                #expect((one == other) == (left == right))
            }
        }
    }

    /// Equal as `String`s.
    @Test(arguments: [
        ("\u{E9}", "e\u{301}"), ("\u{212B}", "\u{C5}"), ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"),
        ("\u{AC00}", "\u{1100}\u{1161}"),
    ])
    func canonicalEquivalentsStayApart(_ one: String, _ other: String) throws {
        #expect(one == other)
        let texts = [Text(one), Text(other)]
        #expect(texts[0] != texts[1])
        #expect(Set(texts).count == 2)
        #expect(Value.string(texts[0]) != .string(texts[1]))
        let fields = try #require(Fields([Field(texts[0], 1), Field(texts[1], 2)]))
        #expect(fields.count == 2)
        #expect(fields[texts[0]] == 1)
        #expect(fields[texts[1]] == 2)
        #expect(FieldPath(name: texts[0]) != FieldPath(name: texts[1]))
    }

    @Test func equalTextsHaveEqualHashes() {
        // A string bridged from pieces may have another representation than a literal.
        let pieces = Text(["Sier", "piński", " is a name that is too long for a small string"].joined())
        let literal: Text = "Sierpiński is a name that is too long for a small string"
        #expect(pieces == literal)
        #expect(pieces.hashValue == literal.hashValue)
        #expect(
            Text(String(pieces.string.dropLast(40))).hashValue == Text(String(literal.string.dropLast(40))).hashValue)
    }

    /// D-2, D-8: `__.*__`.
    @Test(arguments: [
        ("", false), ("_", false), ("__", false), ("___", false), ("____", true), ("__a__", true), ("__é__", true),
        ("__name__", true), ("_a__", false), ("__a_", false), ("a__b__", false), ("__\n__", true),
        ("__a__\u{301}", false),
        ("\u{600}__a__", false), ("__\u{301}__", true),
    ])
    func reservedNames(_ name: String, _ isReserved: Bool) {
        #expect(Text(name).isReserved == isReserved)
        #expect(FieldPath.isReserved(Text(name)) == isReserved)
    }
}
