// SPDX-License-Identifier: Apache-2.0

import IndexCatalog
import Testing

@Suite struct RedundancyTests {
    private func file(_ indexes: String...) -> String {
        let entries = indexes.map { entry -> String in
            let mark = entry.hasPrefix("!") ? "«redundant-index»" : ""
            let fields = entry.drop { $0 == "!" }
            return #"\#(mark){"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(fields)]}"#
        }
        return #"{"indexes": [\#(entries.joined(separator: ", "))]}"#
    }

    /// I-34.
    @Test func joinsMakeAnIndexRedundant() {
        expectFindings(
            file("!" + list(asc("a"), asc("b"), asc("x")), list(asc("a"), asc("x")), list(asc("b"), asc("x"))))
        expectFindings(file(list(asc("a"), asc("b"), asc("x")), list(asc("a"), asc("x"))))
        expectFindings(file(list(asc("a"), asc("b"), asc("x")), list(asc("a"), asc("x")), list(asc("b"), desc("x"))))
        expectFindings(file(list(asc("a"), asc("x")), list(asc("b"), asc("x")), list(asc("c"), asc("x"))))
    }

    /// I-28.
    @Test func directionsOfBoundFieldsMakeNoDifference() {
        expectFindings(file(list(asc("a"), asc("x")), "!" + list(desc("a"), asc("x"))))
        expectFindings(file(list(asc("a"), asc("b"), asc("x")), "!" + list(asc("b"), asc("a"), asc("x"))))
    }

    @Test func namesTheOthersAndTheCost() {
        let source = file(list(asc("a"), asc("b"), asc("x")), list(asc("a"), asc("x")), list(asc("b"), asc("x")))
        let message = ConfigurationReader.read(Array(source.utf8)).findings.first?.message ?? ""
        #expect(message.contains("the indexes at line 1 and line 1 together serve"))
        #expect(message.contains("costs another entry in each document"))
    }

    @Test(arguments: [
        // A duplicate goes with its comma, first or last, and comments stay.
        (
            "[/*1*/$a, $a /*2*/, $b]", "[/*1*/$a /*2*/, $b]"
        ),
        ("[$a,\n // note\n $b,\n $a\n]", "[$a,\n // note\n $b\n]"),
        // Not needed: the automatic index is there.
        ("[$o]", "[]"), ("[$o, $a]", "[$a]"), ("[$a, $o, $o]", "[$a]"),
        ("[$a, $b,]", "[$a, $b]"),
        ("[$l]", "[$a]"),
        ("[$l, $a]", "[$a]"),
        ("[$b]", nil),
    ])
    func mendsWhatIsSafe(_ before: String, _ after: String?) throws {
        func source(_ text: String) -> String {
            let index = { (fields: String) in
                #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(fields)]}"#
            }
            let samples = [
                "$l": list(asc("a"), #"{"fieldPath": "b", "order": "ascending"}"#), "$o": asc("one"),
                "$a": list(asc("a"), asc("b")), "$b": list(asc("b"), desc("c")),
            ]
            var text = text
            for (name, fields) in samples { text = text.replacing(name, with: index(fields)) }
            return #"{"indexes": \#(text)}"#
        }
        let mended = ConfigurationReader.mended(Array(source(before).utf8))
        #expect(mended.map { String(decoding: $0.source, as: UTF8.self) } == after.map(source))
    }

    /// A comment that ends in a comma is not taken for the comma between entries.
    @Test func mendingNeverBreaksAFile() {
        let entry = #"{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [\#(list(asc("a"), asc("b")))]}"#
        let source = "{\"indexes\": [\(entry), // note,\n\(entry)]}"
        let mended = ConfigurationReader.mended(Array(source.utf8))?.source ?? Array(source.utf8)
        #expect(!ConfigurationReader.read(mended).findings.contains { $0.rule.severity == .error })
    }
}
