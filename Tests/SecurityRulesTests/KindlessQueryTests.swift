// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import Testing

@testable internal import SecurityRules

/// Queries of all collections of the root. The answers are the emulator's.
@Suite struct KindlessQueryTests {
    private static func allows(_ body: String, version: Int) throws -> Bool {
        let source = """
            rules_version = '\(version)';
            service cloud.firestore { match /databases/{database}/documents { \(body) } }
            """
        let rules = try #require(RuleSet.compile(source).rules)
        let query = Query(parent: nil, from: CollectionSelector(collectionID: nil))
        return rules.decide(RuleRequest(.list(query), time: RuleTimestamp(.minimum))) { _ in nil }.isAllowed
    }

    /// Only a glob stands for the documents of every collection.
    @Test(arguments: [
        ("allow read;", false), ("match /{c} { allow read; }", false), ("match /a/{id} { allow read; }", false),
        ("match /{document=**} { allow read; }", true),
    ])
    func root(_ body: String, isAllowed: Bool) throws {
        #expect(try Self.allows(body, version: 2) == isAllowed)
        // In version 1 a glob stands for one segment at least.
        #expect(try !Self.allows(body, version: 1))
    }

    /// A glob further up leaves nothing for the documents.
    @Test func globBeforeTheEnd() throws {
        let source = "rules_version = '2'; service cloud.firestore { match /{all=**}/documents { allow read; } }"
        let rules = try #require(RuleSet.compile(source).rules)
        let query = Query(parent: nil, from: CollectionSelector(collectionID: nil))
        #expect(!rules.decide(RuleRequest(.list(query), time: RuleTimestamp(.minimum))) { _ in nil }.isAllowed)
    }
}
