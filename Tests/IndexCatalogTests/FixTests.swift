// SPDX-License-Identifier: Apache-2.0

import IndexCatalog
import Testing

@Suite struct FixTests {
    @Test(arguments: [
        // A duplicate is removed with its comma, first or last, and comments stay.
        (
            "[/*1*/$a, $a /*2*/, $b]", "[/*1*/$a /*2*/, $b]"
        ),
        ("[$a,\n // note\n $b,\n $a\n]", "[$a,\n // note\n $b\n]"),
        // Unnecessary, because the automatic index exists.
        ("[$o]", "[]"), ("[$o, $a]", "[$a]"), ("[$a, $o, $o]", "[$a]"),
        ("[$a, $b,]", "[$a, $b]"),
        ("[$l]", "[$a]"),
        ("[$l, $a]", "[$a]"),
        ("[$b]", nil),
        // Comments stay, whatever they contain.
        ("[$a, // one,\n$a]", "[$a // one,\n]"), ("[$a // one,\n, $a]", "[$a // one,\n]"),
        ("[$o /* one, */, $a]", "[ /* one, */$a]"), ("[$o, /* two */ $o, /* a */ $a]", "[/* two */ /* a */ $a]"),
        // No comma is left on a line of its own.
        ("[$a, // one\n$o, // two\n$b]", "[$a, // one\n// two\n$b]"),
        ("[$a, // one\n$o // two\n, $o, // three\n$b]", "[$a, // one\n // two\n// three\n$b]"),
        ("[$a, // one\n$o, // two\n$o // three\n]", "[$a // one\n // two\n // three\n]"),
        ("[$a, $o, // one\n$o, $b]", "[$a, // one\n$b]"),
        // Of two indexes, the one that deploys stays, wherever it is.
        ("[$d, $a]", nil), ("[$a, $d, $a]", "[$a, $d]"), ("[$s, $a]", nil),
        // The official tool treats these as two indexes, and may create both.
        ("[$t, $u]", nil),
    ])
    func fixesWhatIsSafe(_ before: String, _ after: String?) throws {
        func source(_ text: String) -> String {
            let index = { (fields: String) in
                #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(fields)]}"#
            }
            let samples = [
                "$l": list(asc("a"), #"{"fieldPath": "b", "order": "ascending"}"#), "$o": asc("one"),
                "$a": list(asc("a"), asc("b")), "$b": list(asc("b"), desc("c")),
                "$d": #"\#(list(asc("a"), asc("b")))], "density": "DENSE", "x": ["#,
                "$s": #"\#(list(asc("a"), asc("b")))], "queryScope": 0, "x": ["#,
                "$t": list(desc("a"), contains("b")), "$u": list(desc("a"), contains("b"), asc("__name__")),
            ]
            var text = text
            for (name, fields) in samples { text = text.replacing(name, with: index(fields)) }
            return #"{"indexes": \#(text)}"#
        }
        let fixed = ConfigurationReader.fixed(Array(source(before).utf8))
        #expect(fixed.map { String(decoding: $0.source, as: UTF8.self) } == after.map(source))
    }

    @Test func fixesOverridesOnceTheyAreSound() {
        let ascending = #"{"order": "ASCENDING", "queryScope": "COLLECTION"}"#
        let unique = ascending.replacing("}", with: #", "unique": true}"#)
        #expect(ConfigurationReader.fixed(Array(overrides(override("[\(unique), \(ascending)]")).utf8)) == nil)
        let fixed = ConfigurationReader.fixed(Array(overrides(override("[\(ascending), \(ascending)]")).utf8))
        #expect(fixed.map { String(decoding: $0.source, as: UTF8.self) } == overrides(override("[\(ascending)]")))
        #expect(fixed?.count == 1)
    }
}
