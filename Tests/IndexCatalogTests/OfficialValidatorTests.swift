// SPDX-License-Identifier: Apache-2.0

import IndexCatalog
import Testing

/// What the official tool's validator was seen to accept, where the rules refused it.
@Suite struct OfficialValidatorTests {
    private func field(_ rest: String) -> String {
        index(#"{"fieldPath": "a", "order": "ASCENDING", \#(rest)}, {"fieldPath": "b", "order": "ASCENDING"}"#)
    }

    private func errors(_ source: String) -> [String] {
        ConfigurationReader.read(Array(source.utf8)).findings.filter { $0.severity == .error }.map(\.rule.id)
    }

    /// J-10: nobody reads the legacy key beside the new one.
    @Test func legacyKeysBesideNewOnesAreNotRead() {
        #expect(errors(field(#""mode": "nonsense""#)) == [])
        #expect(errors(field(#""mode": []"#)) == [])
        let source = index(list(asc("a"), asc("b"))).replacing(
            #""collectionGroup""#, with: #""collectionId": [], "collectionGroup""#)
        #expect(errors(source) == [])
        #expect(
            errors(#"{"indexes": [{"collectionId": "c", "fields": [{"fieldPath": "a", "mode": "x"}]}]}"#).contains(
                "bad-enum"))
    }

    @Test func multikeyMayBeNull() {
        let source = index(list(asc("a"), asc("b"))).replacing(#""fields""#, with: #""multikey": null, "fields""#)
        #expect(errors(source) == [])
    }
}
