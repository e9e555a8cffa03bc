// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Testing

@testable internal import SecurityRules

/// In which order statements are tried. The answers are those of the official emulator 1.19.9, which agreed in 3,500 random sets of rules.
@Suite struct StatementOrderTests {
    private static func rules(_ body: String) throws -> RuleSet {
        let matches = "match /databases/{database}/documents { \(body) }"
        let source = "rules_version = '2'; service cloud.firestore { \(matches) }"
        return try #require(RuleSet.compile(source).rules)
    }

    private static func decision(
        _ body: String, _ document: String, stored: [String] = []
    ) throws -> Decision {
        let request = RuleRequest(.get([try ResourcePath(parsing: document)]), time: RuleTimestamp(.minimum))
        return try rules(body).decide(request) { stored.contains($0.description) ? Fields.empty : nil }
    }

    /// Matches, a document, and which statements are tried for it, by their numbers in the source.
    private typealias Case = (body: String, document: String, order: [Int])

    private static let cases: [Case] = [
        ("match /c/{x} { allow; match /{h=**} { allow; } }", "c/1", [1, 2]),
        ("match /c/{x} { match /{h=**} { allow; } allow; }", "c/1", [2, 1]),
        ("match /c/{x} { allow; match /{h=**} { allow; } match /{i=**} { allow; } allow; }", "c/1", [1, 4, 2, 3]),
        (nestedGlobs, "c/1", [1, 2, 4]), (nestedGlobs, "c/1/d/2", [3, 2, 4]),
        ("match /{a=**} { allow; } match /c/{x} { allow; } match /c/1 { allow; }", "c/1", [1, 2, 3]),
        ("match /{h=**} { allow; match /d/{z} { allow; } }", "c/1/d/2", [2, 1]),
        (threeLevels, "c/1/d/2", [3, 2, 4, 1]), (siblings, "c/1/d/2", [4, 3, 2, 1]),
        (
            "match /{c=**} { match /{d} { match /{e}/{f}/{g} { allow; } } allow; match /{h}/{i}/{j} { match /{k} { allow; } } }",
            "b/b/b/a", [1, 3, 2]
        ),
        (
            "match /{c}/{d}/{e} { match /{f} { match /{g=**} { match /a { allow; } match /{h} { allow; } allow; } allow; } }",
            "b/b/b/a", [4, 3]
        ),
        (
            "match /{c=**} { match /{d} { allow; } match /{e}/{f} { match /{g}/{h} { allow; } allow; allow; } }",
            "a/b", [3, 4, 1]
        ),
        // Segments behind the glob take no room of their own.
        (
            "match /{c=**}/a/{d} { match /{e}/{f}/{g} { allow; match /{h} { allow; } } allow; match /{j}/{k}/{l} { allow; } }",
            "a/a/b/a", [2, 1, 4]
        ),
        (
            "match /{c=**}/{d} { match /{e}/{f} { allow; match /{g} { match /a/{h}/{i} { allow; } allow; } } }",
            "a/a/b/a", [3, 1]
        ),
    ]
    private static let nestedGlobs =
        "match /c/{x} { allow; match /{h=**} { allow; match /d/{z} { allow; } } match /{k=**} { allow; } }"
    private static let threeLevels =
        "match /{a=**} { allow; match /{b}/{c} { allow; match /{d}/{e} { allow; } } match /{f} { allow; } }"
    private static let siblings =
        "match /c/{g=**} { allow; match /{a} { allow; match /{b} { allow; } } match /{d}/{e}/{f} { allow; } }"

    @Test(arguments: cases.indices) func order(_ number: Int) throws {
        let test = Self.cases[number]
        // One line each, from the second on.
        let body = test.body.replacing("allow;", with: "\nallow read: if false;")
        let decision = try Self.decision(body, test.document)
        #expect(decision.outcomes.map { $0.position.line - 1 } == test.order, "\(test.body)")
    }

    /// What is tried first may use up what a request may read.
    @Test func limits() throws {
        func exists(_ names: [String]) -> String {
            names.map { "exists(/databases/$(database)/documents/\($0))" }.joined(separator: " || ")
        }
        let (light, heavy) = (exists(["u/a"]), exists((0..<10).map { "z/\($0)" }))
        for (own, inner, isAllowed) in [(light, heavy, true), (heavy, light, false)] {
            let body = "match /c/{x} { allow read: if \(own); match /{h=**} { allow read: if \(inner); } }"
            #expect(try Self.decision(body, "c/1", stored: ["u/a"]).isAllowed == isAllowed)
        }
    }
}
