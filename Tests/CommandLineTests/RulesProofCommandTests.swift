// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `hearth rules prove`, and queries judged by rules.
@Suite struct RulesProofCommandTests {
    let bench: Workbench

    static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /users/{uid} {
              allow write: if request.auth.uid == uid;
            }
            match /notes/{note} {
              allow list: if resource.data.owner == request.auth.uid;
              allow update: if request.auth != null;
            }
          }
        }

        """

    init() throws {
        bench = try Workbench()
        try bench.write("x.rules", Self.rules)
        try bench.write("bad.rules", "service {")
    }

    @Test func claims() throws {
        let holds = "users/{uid}: write only if request.auth.uid == uid"
        let run = try bench.hearth("rules", "prove", "x.rules", "--claim", holds)
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("no counterexample within "))
        #expect(run.output.hasSuffix(" to 1 statement: \(holds)\n"))
        let wrong = "notes/{id}: update only if request.auth.uid == resource.data.owner"
        let refuted = try bench.hearth("rules", "prove", "x.rules", "--claim", wrong, "--claim", holds)
        #expect(refuted.code == 1)
        #expect(refuted.lines.first == "refuted: \(wrong)")
        #expect(refuted.lines.dropFirst().first?.hasPrefix("  line 9 allows update of notes/") == true)
        #expect(refuted.lines.last?.hasPrefix("no counterexample") == true)
        #expect(try bench.hearth("rules", "prove", "bad.rules", "--claim", holds).code == 2)
        #expect(try bench.hearth("rules", "prove", "x.rules", "--claim", "users").code == 64)
    }

    /// A claim on a path that is misspelt, or of a match that was renamed, would hold for ever.
    @Test func claimsOnNothing() throws {
        let run = try bench.hearth("rules", "prove", "x.rules", "--claim", "user/{uid}: write never")
        #expect(run.code == 0 && run.errors.contains("no allow of these methods is for documents of this path"))
    }

    /// A counterexample is a case that `hearth rules test` runs.
    @Test func counterexamplesAreCases() throws {
        let run = try bench.hearth(
            "rules", "prove", "x.rules", "--claim", "notes/{id}: update never", "--format", "json")
        #expect(run.code == 1)
        let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(answer?["refuted"] as? Bool == true)
        #expect(answer?["line"] as? Int == 9)
        let example = try JSONSerialization.data(withJSONObject: try #require(answer?["counterexample"]))
        try bench.write("cases.ndjson", String(decoding: example, as: UTF8.self))
        let test = try bench.hearth(
            "rules", "test", "--rules", "x.rules", "--cases", "cases.ndjson", "--format", "json")
        #expect(test.output.contains(#""allow":true"#))
    }

    /// Each process hashes in its own way, and finds the same smallest counterexample.
    @Test func counterexamplesDoNotDependOnTheProcess() throws {
        let rules = """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                function has(path) { return exists(/databases/$(database)/documents/$(path)); }
                match /notes/{note} {
                  allow get: if [has('a/1'), has('a/2'), has('a/3'), has('a/4')].hasAny([true])
                    && get(/databases/$(database)/documents/b/1).data.x == 1
                    && (exists(/databases/$(database)/documents/a/1) || exists(/databases/$(database)/documents/a/2));
                }
              }
            }
            """
        try bench.write("many.rules", rules)
        let outputs = try (0..<6).map { _ in
            try bench.hearth("rules", "prove", "many.rules", "--claim", "notes/{id}: get never", "--format", "json")
                .output
        }
        #expect(Set(outputs).count == 1)
    }

    @Test func queriesUnderRules() throws {
        try bench.write("queries", "notes\nnotes.where('owner','==','alice')\n")
        let run = try bench.hearth("check", "--rules", "x.rules", "--queries", "queries", "--format", "json")
        #expect(run.code == 0)
        #expect(
            run.lines[0].hasSuffix(
                #""rules":{"nobody":false,"user":false,"because":"line 8: no filter says what \"owner\" is","#
                    + #""wouldAllow":"where(\"owner\",\"==\",uid)"}}"#))
        #expect(
            run.lines[1].hasSuffix(
                #""rules":{"nobody":false,"user":true,"because":"for the user whose ID is \"alice\""}}"#))
        let text = try bench.hearth(
            "check", "--rules", "x.rules", "--queries", "queries", "--format", "text", "--strict")
        #expect(text.code == 1)
        #expect(
            text.lines[1]
                == "  rules: denied: line 8: no filter says what \"owner\" is. Allowed with .where(\"owner\",\"==\",uid)"
        )
        let github = try bench.hearth("check", "--rules", "x.rules", "--queries", "queries", "--format", "github")
        #expect(github.output.hasPrefix("::warning file=queries,line=1,col=1,title=rules-deny::"))
        #expect(try bench.hearth("check", "--rules", "bad.rules", "--queries", "queries").code == 2)
    }

    /// What only some users may run is no finding.
    @Test func queriesThatDependOnTheUser() throws {
        try bench.write(
            "claims.rules",
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /staff/{id} { allow list: if request.auth.token.admin == true; }
                match /users/{id} {
                  allow list: if get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role == 'admin';
                }
              }
            }
            """)
        try bench.write("queries", "staff\nusers\n")
        try bench.write("app.js", "db.collection('staff').limit(3).get(); db.collection('users').limit(3).get();\n")
        for input in [["--queries", "queries"], ["--source", "app.js"]] {
            let arguments = ["check", "--rules", "claims.rules", "--strict"] + input
            let run = try bench.hearth(arguments: arguments + ["--format", "json"])
            #expect(run.code == 0)
            #expect(
                run.lines.map { $0.contains(#""rules":{"nobody":false,"user":false,"depends":true,"because":"line "#) }
                    == [true, true], "\(run.output)")
            #expect(!(try bench.hearth(arguments: arguments + ["--format", "github"]).output.contains("rules-deny")))
        }
    }

    /// A query from a program, whose user is a variable, has the limits that the program says.
    @Test func limitsUnderRules() throws {
        let condition =
            "resource.data.owner == request.auth.uid && request.query.limit <= 50 && request.query.offset < 9"
        try bench.write(
            "limits.rules",
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /posts/{post} { allow list: if \(condition); }
              }
            }
            """)
        try bench.write(
            "queries",
            """
            db.collection("posts").whereField("owner", isEqualTo: uid).limit(to: 20)
            query(collection(db, "posts"), where("owner", "==", uid), orderBy("n"), limitToLast(50))
            db.collection("posts").where("owner", "==", uid).limit(51)
            db.collection("posts").where("owner", "==", uid).limit(count)
            db.collection("posts").where("owner", "==", uid).limit(5).offset(9)
            """)
        let run = try bench.hearth("check", "--rules", "limits.rules", "--queries", "queries", "--format", "json")
        #expect(run.lines.map { $0.contains(#""user":true"#) } == [true, true, false, false, false], "\(run.output)")
        #expect(run.lines[0].hasSuffix(#""because":"for the user whose ID is the value that the program gives"}}"#))
    }
}
