// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import JSONText
internal import QueryPlanner
internal import TestSupport
internal import Testing

@testable internal import SecurityRules

/// What rules say of a query.
@Suite struct QueryJudgeTests {
    private static let rules = SecurityLintRule.source(
        """
        match /public/{id} { allow list; }
        match /notes/{id} {
          allow list: if request.auth != null && resource.data.owner == request.auth.uid && resource.data.open == true;
        }
        match /teams/{id} { allow list: if request.auth.uid in resource.data.members && request.query.limit <= 20; }
        match /items/{id} { allow list: if 10 < resource.data.price || resource.data.state in ['new', 'used']; }
        match /users/{uid}/mail/{id} { allow list: if request.auth.uid == uid; }
        match /admin/{id} {
          allow list: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.admin == true;
        }
        match /staff/{id} { allow list: if request.auth.token.admin == true; }
        match /team/{id} { allow list: if 'lead' in request.auth.token.get('roles', []); }
        match /inbox/{id} { allow list: if resource.data.email == request.auth.token.email; }
        match /own/{id} {
          allow list: if resource.data.owner == request.auth.uid || request.auth.token.role == 'editor';
        }
        match /members/{id} { allow list: if exists(/databases/$(database)/documents/members/$(request.auth.uid)); }
        match /both/{id} { allow list: if resource.data.open == true && request.auth.token.admin == true; }
        match /short/{id} { allow list: if request.query.limit <= 20; }
        """)

    private static func judge(_ text: String) throws -> String {
        let judge = try #require(QueryJudge(rules, time: .minimum))
        let query = try QueryText.parse(text, database: DatabaseID(project: "p")).query
        let verdict = judge.judge(query)
        let depends = verdict.depends ? "depends: " : ""
        return "\(verdict.nobody) \(verdict.user) \(depends)\(verdict.because ?? "-") | \(verdict.wouldAllow ?? "-")"
    }

    @Test(arguments: [
        ("public", "true true - | -"),
        ("other", "false false no statement allows list there | -"),
        (
            "notes",
            "false false line 6: no filter says what \"owner\" is | where(\"owner\",\"==\",uid).where(\"open\",\"==\",true)"
        ),
        (
            "notes.where('owner','==','alice')",
            "false false line 6: no filter says what \"open\" is | where(\"open\",\"==\",true)"
        ),
        (
            "notes.where('open','==',true)",
            "false false line 6: no filter says what \"owner\" is | where(\"owner\",\"==\",uid)"
        ),
        (
            "notes.where('owner','==','alice').where('open','==',true)",
            "false true for the user whose ID is \"alice\" | -"
        ),
        (
            "teams.limit(50)",
            "false false line 8: the condition is false | where(\"members\",\"array-contains\",uid).limit(20)"
        ),
        ("items.where('price','>',11)", "true true - | -"),
        (
            "items.where('price','>',9)",
            "false false line 9: the filters do not imply the condition | where(\"price\",\">\",10)"
        ),
        ("collection('users/alice/mail')", "false true for the user whose ID is \"alice\" | -"),
        ("admin", "false false depends: line 12: it depends on a document that get() reads | -"),
        ("staff", "false false depends: line 14: it depends on the claim \"admin\" of the user's token | -"),
    ])
    func verdicts(_ text: String, _ expected: String) throws {
        let verdict = try Self.judge(text)
        #expect(verdict == expected)
    }

    /// What is said of a query goes on behind an error of the emulator.
    @Test func errorsWithoutTheirStop() throws {
        let verdict = try Self.judge("short")
        #expect(verdict.hasPrefix("false false line 22: Unsupported operation error. Received: null <= int."))
        #expect(verdict.hasSuffix("any <= constraint | limit(20)"), "\(verdict)")
    }

    /// Some users may run these, as the emulator decides: those with the claim, or of whom a document says so.
    @Test(arguments: [
        ("team", true), ("inbox.where('email','==','ada@example.org')", true), ("inbox", false), ("own", true),
        ("members", true), ("both", false), ("both.where('open','==',true)", true), ("notes", false), ("other", false),
    ])
    func dependsOnTheUser(_ text: String, _ depends: Bool) throws {
        let judge = try #require(QueryJudge(Self.rules, time: .minimum))
        let verdict = judge.judge(try QueryText.parse(text, database: DatabaseID(project: "p")).query)
        #expect(!verdict.user && verdict.depends == depends, "\(verdict)")
    }

    /// As above, where the user has a certain ID, or a claim of which rules ask more than what it is.
    @Test(arguments: [
        ("request.auth.token.email.matches('.*@isens[.]camp$')", true),
        ("request.auth.token.email.split('@')[1] == 'x.z'", true),
        ("request.auth.uid == 'abc'", true), ("request.auth.uid in ['abc', 'def']", true),
        ("request.auth.uid.matches('a.*')", true), ("request.auth.token.keys().hasAny(['admin'])", true),
        ("!request.auth.token.email.matches('.*@example[.]com')", true), ("request.auth.token.level > 5", true),
        ("request.auth.token.orgs.acme == 'admin'", true), ("isStaff()", true), ("domain(request.auth) == 'x.z'", true),
        ("request.auth.token.email.matches('.*@x[.]z') && resource.data.open == true", false),
        (
            "request.auth.token.email.matches('.*@x[.]com') && !(request.auth.token.email.matches('.*bot.*'))", true
        ),
        ("!(!request.auth.token.email.matches('.*@x[.]com') || request.auth.token.level > 5)", true),
        ("resource.data.mail == request.auth.token.email.lower()", false),
        ("request.auth.token.orgs[resource.data.org] == 'admin'", false),
        ("request.auth.token.teams.hasAny([resource.data.team])", false),
        ("resource.data.mail.matches('.*')", false), ("'abc' == 'def'", false),
        ("request.auth.uid == 'abc' && resource.data.open == true", false),
    ])
    func dependsOnAnswers(_ condition: String, _ depends: Bool) throws {
        let source = SecurityLintRule.source(
            """
            function isStaff() { let mail = request.auth.token.email; return mail != null && mail.matches('.*@x[.]z'); }
            function domain(who) { return who.token.email.split('@')[1]; }
            match /a/{id} { allow list: if \(condition); }
            match /b/{id} { allow list: if false; }
            """)
        let judge = try #require(QueryJudge(source, time: .minimum))
        let verdicts = ["a", "b"].map { judge.judge(Query(from: CollectionSelector(collectionID: Text($0)))) }
        #expect(verdicts.map(\.user) == [false, false] && verdicts.map(\.depends) == [depends, false], "\(verdicts)")
    }

    /// What is offered is allowed by what the emulator was recorded to decide: with the filter, each condition of the
    /// recorded matrix allows the query.
    @Test func offersAreAllowed() throws {
        guard let folder = Locations.sharedData() else { return }
        let matrix = try JSONParser.parse(
            Array(try Data(contentsOf: folder.appending(path: "rules/query-matrix.json"))))
        var offers = 0
        for rule in matrix["rules"]?.elements ?? [] {
            let condition = rule.string ?? rule["condition"]?.string ?? rule["cond"]?.string ?? ""
            let source = SecurityLintRule.source("match /a/{id} { allow list: if \(condition); }")
            guard let judge = QueryJudge(source, time: .minimum) else { continue }
            let verdict = judge.judge(Query(from: CollectionSelector(collectionID: "a")))
            guard let offer = verdict.wouldAllow else { continue }
            offers += 1
            let text = "a." + offer.replacing("uid", with: "'\(QueryJudge.userID)'")
            let query = try QueryText.parse(text, database: DatabaseID(project: "p")).query
            #expect(judge.judge(query).user, "\(condition): \(offer)")
        }
        #expect(offers > 10)
    }
}
