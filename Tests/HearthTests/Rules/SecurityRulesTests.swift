// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// Rules as a value: their errors, and requests without a database.
@Suite struct SecurityRulesTests {
    private static let source = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{id} {
              allow get: if request.auth.uid == id;
              allow list: if resource.data.public == true;
              allow create: if request.auth.token.admin && !('role' in request.resource.data);
              allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['name', 'at'])
                && request.resource.data.at == request.time;
              allow delete: if resource.data.age < request.auth.token.level && 'staff' in request.auth.token.groups;
            }
            match /{path=**}/posts/{id} { allow list: if request.auth.token.mail.verified; }
          }
        }
        """

    @Test func errorsHavePlaces() throws {
        let error = try #require(throws: SecurityRulesError.self) {
            _ = try SecurityRules(Self.source.replacing("== id", with: "== "))
        }
        #expect(error.issues.map(\.line) == [5])
        #expect(error.issues.map(\.column) == [41])
        #expect(error.localizedDescription.hasPrefix("5:41: "))
        let unused = try SecurityRules(Self.source.replacing("== id", with: "== nope"))
        #expect(unused.warnings.map(\.description) == ["5:41: Invalid variable name: nope."])
        #expect(try SecurityRules(Self.source).warnings == [])
    }

    @Test func rulesOfOtherServices() throws {
        let error = try #require(throws: SecurityRulesError.self) {
            try SecurityRules("service firebase.storage { match /b/{bucket}/o { allow read; } }")
        }
        #expect(
            error.description
                == "1:9: These are rules of firebase.storage: Firestore's begin with service cloud.firestore.")
    }

    @Test func files() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).rules")
        try Self.source.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try SecurityRules(contentsOf: file).allows(.get("users/a"), as: .user("a")))
        #expect(throws: (any Error).self) { _ = try SecurityRules(contentsOf: file.appending(path: "none")) }
    }

    @Test func requests() throws {
        let rules = try SecurityRules(Self.source)
        let documents: [String: [String: Any]] = ["users/alice": ["name": "Alice", "age": 3]]
        let admin = SecurityRules.Auth.user(
            "root",
            claims: ["admin": true, "level": 3.5, "groups": ["staff"], "mail": ["verified": true], "none": nil])
        #expect(try rules.allows(.get("users/alice"), as: .user("alice"), given: documents))
        #expect(try !rules.allows(.get("users/alice"), as: .user("bob"), given: documents))
        #expect(try !rules.allows(.get("users/alice"), as: .signedOut, given: documents))
        #expect(try rules.allows(.list("users") { $0.whereField("public", isEqualTo: true) }, as: .signedOut))
        #expect(try !rules.allows(.list("users"), as: .signedOut))
        #expect(try rules.allows(.list(group: "posts"), as: admin))
        #expect(try rules.allows(.create("users/b", ["name": "Bob"]), as: admin))
        #expect(try !rules.allows(.create("users/b", ["role": "king"]), as: admin))
        #expect(try rules.allows(.set("users/b", ["name": "Bob"]), as: admin))
        let stamp: [String: Any] = ["name": "A", "at": FieldValue.serverTimestamp()]
        #expect(try rules.allows(.update("users/alice", stamp), as: .signedOut, given: documents))
        #expect(try !rules.allows(.update("users/alice", ["age": 4]), as: .signedOut, given: documents))
        #expect(try rules.allows(.delete("users/alice"), as: admin, given: documents))
        #expect(
            try rules.allows(
                .batch([.create("users/b", [:]), .delete("users/alice")]), as: admin, given: documents))
        #expect(try !rules.allows(.batch([.create("users/b", [:]), .delete("x/y")]), as: admin, given: documents))
    }

    @Test func explanations() throws {
        let rules = try SecurityRules(Self.source)
        let refused = try rules.decide(.get("users/alice"), as: .user("bob"))
        #expect(!refused.isAllowed && refused.explanation == "false for 'get' @ L5")
        #expect(try rules.decide(.get("users/bob"), as: .user("bob")).explanation == "")
        #expect(try rules.decide(.get("x/y"), as: .user("bob")).explanation == "No matching allow statements")
    }

    @Test func invalidRequests() throws {
        let rules = try SecurityRules(Self.source)
        for request in [
            SecurityRules.Request.get("users"), .list("users/a"), .create("users", [:]),
            .set("users/a", ["a": Thread.current]), .batch([.get("users/a")]),
        ] {
            #expect(throws: FirestoreError.self) { _ = try rules.allows(request, as: .signedOut) }
        }
        #expect(throws: FirestoreError.self) {
            _ = try rules.allows(.get("users/a"), as: .signedOut, given: ["users": [:]])
        }
    }
}
