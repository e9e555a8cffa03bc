// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// Documents on which a commit sets a condition, such as those that a transaction of a web client has read: they are judged as reads within
/// the commit. The answers are the emulator's.
@Suite struct VerifiedDocumentTests {
    private static func path(_ text: String) throws -> DocumentPath { try DocumentPath(parsing: text) }

    private static func verify(_ text: String) throws -> Write {
        Write(try path(text), .verify, precondition: .exists(true))
    }

    private static func decision(_ body: String, _ writes: [Write]) throws -> Decision {
        let source = """
            rules_version = '2';
            service cloud.firestore { match /databases/{database}/documents {
            \(body)
            } }
            """
        let rules = try #require(RuleSet.compile(source).rules)
        let auth = RuleValue.map(RuleMap([("uid", .string("alice"))]))
        let gate = AccessGate(rules, auth: auth, database: "(default)")
        return gate.decide(commit: writes, at: RecordedRulesTests.time) { (path) throws(Never) -> Fields? in
            ["v/1", "u/1", "rooms/1"].contains(path.description) || path.segments[0] == "e"
                ? ["n": .integer(1)] : nil
        }
    }

    private static func document(_ path: String) -> String { "/databases/$(database)/documents/\(path)" }

    /// They see the state after the commit.
    @Test func stateAfterTheCommit() throws {
        let room = try Self.verify("rooms/1")
        let join = Write.set(try Self.path("rooms/1/members/alice"), .empty)
        let member = Self.document("rooms/$(r)/members/$(request.auth.uid)")
        let members = "match /rooms/{r}/members/{m} { allow create: if m == request.auth.uid; }"
        for (condition, isAllowed) in [("existsAfter", true), ("!existsAfter", false), ("exists", false)] {
            let body = "match /rooms/{r} { allow read: if \(condition)(\(member)); } \(members)"
            for writes in [[room, join], [join, room]] {
                #expect(try Self.decision(body, writes).isAllowed == isAllowed, "\(condition)")
            }
        }
    }

    /// Their calls count for the commit.
    @Test func limits() throws {
        func exists(_ range: Range<Int>) -> String {
            range.map { "exists(\(Self.document("e/\($0)")))" }.joined(separator: " && ")
        }
        let body = """
            match /v/{i} { allow read: if \(exists(0..<10)); } match /u/{i} { allow read: if \(exists(10..<20)); }
            match /w/{i} { allow write: if \(exists(99..<100)); }
            """
        let (first, second) = (try Self.verify("v/1"), try Self.verify("u/1"))
        let write = Write.set(try Self.path("w/1"), .empty)
        #expect(try Self.decision(body, [first, write]).isAllowed)
        #expect(try Self.decision(body, [first, second]).isAllowed)
        #expect(try !Self.decision(body, [first, second, write]).isAllowed)
    }

    @Test(arguments: [
        "request.method == 'get'", "request.writeFields == null", "request.transforms == null",
        "request.fields == null",
        "request.inTransaction", "request.resource.data.n == 1", "request.resource == resource",
        "getAfter(/databases/$(database)/documents/v/1).data.n == 1", "!('query' in request)",
    ])
    func members(_ condition: String) throws {
        let body = "match /v/{i} { allow get: if \(condition); } match /w/{i} { allow write; }"
        let write = Write.set(try Self.path("w/1"), .empty)
        for writes in [[try Self.verify("v/1")], [try Self.verify("v/1"), write]] {
            let decision = try Self.decision(body, writes)
            #expect(decision.isAllowed, "\(decision.message)")
        }
    }

    /// A missing one is null after the commit, for the rules of other documents, too.
    @Test func missing() throws {
        let condition = "getAfter(\(Self.document("v/2"))) == null"
        let body =
            "match /v/{i} { allow read: if request.resource == null; } match /w/{i} { allow write: if \(condition); }"
        let writes = [
            Write(try Self.path("v/2"), .verify, precondition: .exists(false)), .set(try Self.path("w/1"), .empty),
        ]
        let decision = try Self.decision(body, writes)
        #expect(decision.isAllowed, "\(decision.message)")
    }

    /// In the order of the writes, what reads nothing first.
    @Test func order() throws {
        let body = """
            match /v/{i} { allow read: if resource.data.n == 2; }
            match /w/{i} { allow write: if exists(/databases/$(database)/documents/x/99); }
            """
        let write = Write.set(try Self.path("w/1"), .empty)
        let verification = try Self.verify("v/1")
        #expect(try Self.decision(body, [verification, write]).message.hasSuffix("false for 'get' @ L3"))
        #expect(try Self.decision(body, [write, verification]).message.hasSuffix("false for 'create' @ L4"))
    }

    @Test func conflicts() throws {
        let (verification, write) = (try Self.verify("v/1"), Write.set(try Self.path("v/1"), .empty))
        let other = Write.set(try Self.path("w/1"), .empty)
        for (writes, what) in [
            ([verification, other, write], "verified and then written"),
            ([write, verification], "written and then verified"),
            ([verification, verification], "verified more than once"),
        ] {
            let message = "the same document cannot be \(what) in a single request"
            #expect(VerificationConflicts.first(in: writes) == message)
        }
        #expect(VerificationConflicts.first(in: [write, write, other]) == nil)
        #expect(VerificationConflicts.first(in: [verification, other]) == nil)
    }
}
