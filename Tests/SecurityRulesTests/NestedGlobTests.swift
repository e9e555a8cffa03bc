// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Globs in a `match` around others, and what conditions make of them. The answers are the emulator's.
@Suite struct NestedGlobTests {
    private static func decision(
        _ body: String, _ operation: RuleRequest.Operation, version: Int = 2
    ) throws -> Decision {
        let source = """
            rules_version = '\(version)';
            service cloud.firestore { match /databases/{database}/documents { \(body) } }
            """
        let rules = try #require(RuleSet.compile(source).rules)
        return rules.decide(RuleRequest(operation, time: RuleTimestamp(.minimum))) { _ in .empty }
    }

    private static func nested(_ levels: [String], _ statement: String) -> String {
        levels.map { "match \($0) { " }.joined() + statement + String(repeating: " }", count: levels.count)
    }

    /// Levels, captures, a document, and what the captures are for it; nil if the levels do not fit.
    private typealias Case = (levels: [String], captures: [String], document: String, expected: String?)

    private static let cases: [Case] = [
        (["/{p=**}/{a}", "/{b}/{c}"], ["p", "a", "b", "c"], "a/2/b/3", "/a/2|b|b|3"),
        (["/{p=**}/b", "/b/{x}"], ["p", "x"], "a/2/b/3", "/a/2|3"),
        (["/{p=**}/b", "/b/{x}"], ["p", "x"], "b/3", "/|3"),
        (["/{p=**}/{u}", "/{v}/{w}", "/{y}/{z}"], ["p"], "a/b", nil),
        (["/{p=**}/{u}", "/{v}/{w}", "/{y}/{z}"], ["p", "u", "v", "w", "y", "z"], "a/b/c/d", "/|a|a|b|c|d"),
        (["/{p=**}/{u}", "/{v}", "/{w}/{y}/{z}"], ["p", "u", "v", "w", "y", "z"], "a/b/c/d/e/f", "/a/b|c|c|d|e|f"),
        (["/{p=**}/{a}/{b}", "/{x}/{y}/{z}"], ["p", "a", "b", "x", "y", "z"], "a/b/c/d", "/a|b|c|b|c|d"),
        (["/{p=**}/{a}/{b}", "/{x}/{y}"], ["p"], "a/b/c/d", nil),
        (["/{p=**}/{a}", "/{x}"], ["p"], "a/b/c/d", nil),
        (["/{p=**}/{a}/{b}/{c}", "/{x}"], ["p"], "a/b/c/d", nil),
        (["/{p=**}/users/{u}", "/{c}/{d}"], ["p"], "users/u/posts/1", nil),
        (["/{p=**}/users/{u}", "/posts/{d}"], ["p"], "users/u/posts/1", nil),
        (["/{p=**}/users", "/{c}/{d}"], ["p", "c", "d"], "a/1/users/u", "/a/1|users|u"),
        (["/{x}/{y}", "/{p=**}/{a}", "/{z}"], ["p"], "a/b/c/d", nil),
        (["/{x}", "/{p=**}", "/{z}"], ["x", "p", "z"], "a/b/c/d", "a|/b/c|d"),
        // The glob ends its own path: the others take room.
        (["/{p=**}", "/a/{x}", "/b/{y}"], ["p", "x", "y"], "q/w/a/1/b/2", "/q/w|1|2"),
        (["/{p=**}", "/{c}/{id}", "/m/{m}/l/{l}"], ["p", "c", "id", "m", "l"], "a/b/m/m/l/l", "/|a|b|m|l"),
        (["/{p=**}", "/{c}/{id}", "/m/{m}/l/{l}"], ["p"], "m/m/l/l", nil),
        (["/{p=**}", "/users/{u}", "/posts/{d}"], ["p", "u", "d"], "a/1/users/u/posts/1", "/a/1|u|1"),
        // In one path.
        (["/{p=**}/users/{u}/posts/{d}"], ["p", "u", "d"], "users/u/posts/1", "/|u|1"),
    ]

    /// In version 2 the glob ends where the inner paths begin, and what stands behind it in its own path is compared there, too.
    @Test(arguments: cases.indices) func versionTwo(_ number: Int) throws {
        let test = Self.cases[number]
        let text = test.captures.map { "string(\($0))" }.joined(separator: " + '|' + ")
        let condition = test.expected.map { "\(text) == '\($0)'" } ?? "true"
        let body = Self.nested(test.levels, "allow get: if \(condition);")
        let path = try ResourcePath(parsing: test.document)
        #expect(try Self.decision(body, .get([path])).isAllowed == (test.expected != nil), "\(body)")
    }

    /// Lint says what fits nothing, and takes it for no reason to remove another statement.
    @Test(arguments: [
        (1, "match /{p=**} { match /a/{id} { allow read; } } match /a/{id} { allow read: if request.auth != null; }"),
        (
            2,
            "match /{p=**}/a/{u} { match /b/{id} { allow read; } } "
                + "match /a/{u}/b/{id} { allow read: if request.auth != null; }"
        ),
    ])
    func lint(version: Int, _ body: String) throws {
        let source = """
            rules_version = '\(version)';
            service cloud.firestore { match /databases/{database}/documents { \(body) } }
            """
        let rules = Set(RulesLinter.findings(in: source).map(\.rule.id))
        #expect(rules.contains("match-outside-documents"))
        #expect(!rules.contains("shadowed-statement"))
    }

    /// In version 1 nothing fits a path behind a glob.
    @Test(arguments: [
        (["/{p=**}", "/a/{z}"], "a/1/a/2", false), (["/users/{z=**}", "/posts/{i}"], "users/u/posts/1", false),
        (["/{x}", "/{p=**}"], "a/1", true), (["/{x}/{p=**}"], "a/1", true),
    ])
    func versionOne(_ levels: [String], _ document: String, isAllowed: Bool) throws {
        let body = Self.nested(levels, "allow read;")
        let path = try ResourcePath(parsing: document)
        #expect(try Self.decision(body, .get([path]), version: 1).isAllowed == isAllowed)
    }

    private static let query = Query(parent: nil, from: CollectionSelector(collectionID: "a"))

    /// What a query leaves open in a glob is an error in version 1.
    @Test(arguments: ["p != null", "p is path", "string(p) != '/secrets/a'", "p != path('/a/1')", "p != p"])
    func openGlobOfVersionOne(_ condition: String) throws {
        let decision = try Self.decision(
            "match /{p=**} { allow list: if \(condition); }", .list(Self.query), version: 1)
        #expect(!decision.isAllowed)
        #expect(decision.message.contains("Null value error."), "\(decision.message)")
    }

    /// In version 2 it is a path that equals itself within lists, maps and sets only, and of which no part can be had.
    @Test(arguments: [
        ("p == p", false), ("p != p", true), ("p in [p]", false), ("[p].hasAny([p])", false), ("[p] == [p]", true),
        ("[p] != [p]", false), ("{'k': p} == {'k': p}", true), ("[p].toSet() == [p].toSet()", true),
        ("p in [p].toSet()", true), ("[p, p].toSet().size() == 1", true), ("p in {'k': p}.values()", false),
        ("[p].removeAll([p]).size() == 0", false), ("[p].toSet().hasAny([p])", true),
        ("{'k': p}.diff({'k': p}).affectedKeys().size() == 0", true), ("[p] == [path('/a/1')]", false),
        ("p[0:1] == path('/a')", false), ("p[0:1] != path('/z')", false), ("p[0] == p[0]", false),
    ])
    func openGlobOfVersionTwo(_ condition: String, isAllowed: Bool) throws {
        let decision = try Self.decision("match /{p=**} { allow list: if \(condition); }", .list(Self.query))
        #expect(decision.isAllowed == isAllowed, "\(decision.message)")
    }
}
