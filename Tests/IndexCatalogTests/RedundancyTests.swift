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

    /// Nothing sorts by array elements, so all queries of such an index have == on its other fields.
    @Test func anIndexThatEndsWithArrayElements() {
        let source = file(list(asc("a"), contains("x")), "!" + list(desc("a"), contains("x")))
        expectFindings(source)
        let plain = Array(source.replacing("«redundant-index»", with: "").utf8)
        let finding = ConfigurationReader.read(plain).findings.first
        #expect(finding?.severity == .warning)
        #expect(
            finding?.message.contains(#"the queries that compare "a", "x": this one costs an entry for each array"#)
                == true)
    }

    @Test func namesTheOthersAndTheCost() {
        let source = file(list(asc("a"), asc("b"), asc("x")), list(asc("a"), asc("x")), list(asc("b"), asc("x")))
        let message = ConfigurationReader.read(Array(source.utf8)).findings.first?.message ?? ""
        #expect(message.contains("the indexes at line 1 and line 1 together serve"))
        #expect(message.contains("costs another entry in each document"))
    }
}
