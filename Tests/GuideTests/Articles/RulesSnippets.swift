// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct RulesSnippets {
    private static let source = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /notes/{id} {
              allow read: if resource.data.owner == request.auth.uid;
              allow write: if request.resource.data.owner == request.auth.uid;
            }
          }
        }
        """

    @Test func users() async throws {
        let database = try emptyDatabase()
        database.securityRules = try SecurityRules(Self.source)
        let alice = database.asUser(.user("alice"))

        try await alice.document("notes/1").setData(["owner": "alice", "text": "Milk"])
        let own = try await alice.collection("notes").whereField("owner", isEqualTo: "alice").getDocuments()
        #expect(own.count == 1)

        do {
            _ = try await alice.document("notes/2").getDocument()
        } catch let error as FirestoreError where error.status == .permissionDenied {
            print(String(reflecting: error))
        }
    }

    /// Needs the file.
    func file(_ database: Database) async throws {
        database.securityRules = try SecurityRules(contentsOf: URL(filePath: "firestore.rules"))
        let alice = database.asUser(.user("alice", claims: ["email": "alice@example.com"]))

        try await alice.document("notes/1").setData(["owner": "alice", "text": "Milk"])
        let own = try await alice.collection("notes").whereField("owner", isEqualTo: "alice").getDocuments()
        print(own.count)
    }

    @Test func tests() throws {
        let rules = try SecurityRules(Self.source)
        let documents: [String: [String: Any]] = ["notes/1": ["owner": "alice"]]
        #expect(try rules.allows(.get("notes/1"), as: .user("alice"), given: documents))
        #expect(try !rules.allows(.get("notes/1"), as: .signedOut, given: documents))
        #expect(try rules.allows(.list("notes") { $0.whereField("owner", isEqualTo: "alice") }, as: .user("alice")))
        #expect(try !rules.allows(.update("notes/1", ["owner": "bob"]), as: .user("alice"), given: documents))
    }
}
