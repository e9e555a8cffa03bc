// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import TestSupport
internal import Testing

@testable import SecurityRules

/// Reads that are allowed for who the caller is, decided without an evaluator and with one.
@Suite struct CallerTestTests {
    private static let conditions = [
        "request.auth != null", "null != request.auth", "request.auth.uid == uid", "uid == request.auth.uid",
        "request.auth != null && request.auth.uid == uid", "request.auth.uid == other && request.auth.uid == uid",
        "(request.auth.uid == uid) && (request.auth != null && request.auth.uid == uid)", "request.auth == null",
        "request.auth.uid != uid", "request.auth.token.admin == uid", "request.auth.uid == database", "uid == other",
        "request.auth.uid == resource.data.owner", "true", "false", "request.auth.uid == 'a' || uid == 'b'",
        "request.auth.missing == uid", "request.path != null", "request.auth.uid == null", "own(uid)",
    ]
    private static let patterns = [
        "/c/{uid}", "/{other}/{uid}", "/c/a", "/c/{uid}/d/{other}", "/c/{other}/d/{uid}", "/{other}/{uid=**}",
        "/{uid=**}", "/c/{uid}/{other=**}",
    ]
    private static let callers: [RuleValue] = [
        .null, Claims.auth(JSONNode(.object([]))), caller("a"), caller("b"), caller(""),
        .map(RuleMap([("uid", .int(1))])),
        .map(RuleMap([("uid", .null)])),
    ]

    private static func caller(_ id: String) -> RuleValue {
        .map(RuleMap([("uid", .string(Text(id))), ("token", .map(.empty))]))
    }

    private static func rules(_ generator: inout SeededGenerator) -> String {
        var matches = ""
        for _ in 0..<generator.int(1..<4) {
            let pattern = generator.pick(patterns)
            var allows = ""
            for _ in 0..<generator.int(1..<4) {
                let method = generator.pick(["read", "get", "get", "list", "write"])
                let condition =
                    generator.chance(0.05)
                    ? "" : ": if \(generator.pick(generator.chance(0.5) ? Array(conditions[..<7]) : conditions))"
                allows += "allow \(method)\(condition); "
            }
            matches += "match \(pattern) { \(allows)} "
        }
        return """
            rules_version = '2'; service cloud.firestore { match /databases/{database}/documents {
            function own(id) { return request.auth.uid == id; } \(matches) } }
            """
    }

    @Test func bothWaysDecideAlike() throws {
        var generator = SeededGenerator.printingSeed()
        var (compared, allowed, atOnce) = (0, 0, 0)
        let paths = [["c", "a"], ["c", "b"], ["e", "a"], ["c", "a", "d", "b"], ["c", "b", "d", "a"]].map {
            DocumentPath(ResourcePath(segments: $0.map { Text($0) }))
        }
        for _ in 0..<Rounds.of(4_000) {
            let source = Self.rules(&generator)
            guard let rules = RuleSet.compile(source).rules else { continue }
            for caller in Self.callers {
                let gate = AccessGate(rules, auth: caller, database: "(default)")
                for path in paths {
                    let fields: Fields? = generator.chance(0.5) ? Fields(sorting: [Field("owner", .string("a"))]) : nil
                    let decision = gate.decide(get: [path.resource], at: RecordedRulesTests.time) {
                        (_) throws(Never) in fields
                    }
                    compared += 1
                    allowed += decision.isAllowed ? 1 : 0
                    guard let id = caller.userID, rules.callerTests.allow(userID: id, toGet: path) else { continue }
                    atOnce += 1
                    #expect(decision.isAllowed, "\(source) \(caller) \(path)")
                }
            }
        }
        print("\(compared) reads, \(allowed) allowed, \(atOnce) of them without an evaluator")
        // About an eighth; of the few rule sets of a debug round sometimes less than a tenth.
        #expect(atOnce * 20 > allowed)
    }

    /// Conditions before the one that allows count as expressions, too.
    @Test func manyStatements() throws {
        let other = "request.auth != null && request.auth.uid == other"
        let long = Array(repeating: "(\(other))", count: 30).joined(separator: " && ")
        for before in [1, 7, 8, 9, 300] {
            let allows = String(repeating: "allow get: if request.auth.uid == other; ", count: before)
            let source = SecurityLintRule.source(
                "match /{other}/{uid} { \(allows) allow get: if request.auth.uid == uid; allow get: if \(long); }")
            let rules = try #require(RuleSet.compile(source).rules)
            let path = DocumentPath(ResourcePath(segments: ["c", "a"]))
            let gate = AccessGate(rules, auth: Self.caller("a"), database: "(default)")
            let decision = gate.decide(get: [path.resource], at: RecordedRulesTests.time) { (_) throws(Never) in nil }
            #expect(rules.callerTests.allow(userID: "a", toGet: path) == (before < 8))
            #expect(decision.isAllowed == (before < 300))
        }
    }
}
