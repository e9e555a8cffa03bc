// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// What a user may do is what the rules say, by every way to the data.
@Suite struct UserDatabaseTests {
    private let sample: Sample
    private let database: Database
    private let alice: Database
    private let nobody: Database

    init() throws {
        sample = try Sample()
        database = sample.database
        database.securityRules = try SecurityRules(
            """
            rules_version = '2';
            service cloud.firestore {
              match /databases/{database}/documents {
                match /notes/{id} {
                  allow read, delete: if resource.data.owner == request.auth.uid;
                  allow create: if request.resource.data.owner == request.auth.uid;
                  allow update: if request.resource.data.n == resource.data.n + 1;
                }
                match /{path=**}/parts/{id} { allow read: if request.auth.token.level > 2; }
                match /stamps/{id} { allow write: if request.resource.data.at == request.time; }
                match /rooms/{id} {
                  allow create: if getAfter(/databases/$(database)/documents/keys/$(id)).data.room == id;
                }
                match /keys/{id} { allow create: if existsAfter(/databases/$(database)/documents/rooms/$(id)); }
              }
            }
            """)
        alice = database.asUser(.user("alice", claims: ["level": 3]))
        nobody = database.asUser(.signedOut)
        try database.document("notes/a").sync.setData(["owner": "alice", "n": 1])
        try database.document("notes/b").sync.setData(["owner": "bob", "n": 1])
    }

    private static let production = "Missing or insufficient permissions."

    @Test func documents() async throws {
        #expect(try await alice.document("notes/a").getDocument()["n"] as? Int == 1)
        for path in ["notes/b", "notes/none", "others/a"] {
            #expect(text(.permissionDenied) { _ = try alice.document(path).sync.getDocument() } == Self.production)
        }
        do {
            _ = try await alice.document("notes/b").getDocument()
            Issue.record("a hidden document was read")
        } catch {
            #expect((error as NSError).localizedDescription == Self.production)
            #expect(
                String(reflecting: error)
                    == "\(Self.production) evaluation error at L5:30 for 'get' @ L5, false for 'get' @ L5")
        }
        #expect(try await database.document("notes/b").getDocument().exists)
    }

    @Test func queries() async throws {
        let own = alice.collection("notes").whereField("owner", isEqualTo: "alice")
        #expect(try await own.getDocuments().documents.map(\.documentID) == ["a"])
        #expect(try await own.count.getAggregation(source: .server).count == 1)
        let all = alice.collection("notes")
        #expect(text(.permissionDenied) { _ = try all.sync.getDocuments() } == Self.production)
        #expect(text(.permissionDenied) { _ = try all.count.sync.getAggregation() } == Self.production)
        await #expect(throws: FirestoreError.self) { for try await _ in all.batches(of: 2) {} }
        #expect(try await alice.collectionGroup("parts").getDocuments().isEmpty)
        #expect(text(.permissionDenied) { _ = try nobody.collectionGroup("parts").sync.getDocuments() } != nil)
        // What is invalid comes before the rules.
        let invalid = all.whereField("n", in: [])
        #expect(text(.invalidArgument) { _ = try invalid.sync.getDocuments() } != nil)
    }

    @Test func writes() async throws {
        try await alice.document("notes/c").setData(["owner": "alice"])
        #expect(text(.permissionDenied) { try alice.document("notes/d").sync.setData(["owner": "bob"]) } != nil)
        try await alice.document("notes/a").updateData(["n": FieldValue.increment(1 as Int64)])
        #expect(text(.permissionDenied) { try alice.document("notes/a").sync.updateData(["n": 7]) } != nil)
        // The rules come before what is stored.
        #expect(text(.permissionDenied) { try nobody.document("notes/x").sync.updateData(["n": 7]) } != nil)
        try await alice.document("notes/a").delete()
        #expect(text(.permissionDenied) { try alice.document("notes/b").sync.delete() } != nil)
        try await alice.document("stamps/a").setData(["at": FieldValue.serverTimestamp()])
        #expect(text(.permissionDenied) { try alice.collection("others").document().sync.setData([:]) } != nil)
        await withCheckedContinuation { continuation in
            alice.document("notes/b").delete { error in
                #expect((error as? FirestoreError)?.status == .permissionDenied)
                continuation.resume()
            }
        }
        #expect(try await database.document("notes/b").getDocument()["n"] as? Int == 1)
    }

    /// A batch is judged as a whole, and each document once.
    @Test func batches() async throws {
        let room = alice.document("rooms/r")
        let key = alice.document("keys/r")
        #expect(text(.permissionDenied) { try room.sync.setData([:]) } == Self.production)
        let batch = alice.batch()
        batch.setData([:], forDocument: room).setData(["room": "r"], forDocument: key)
        try await batch.commit()
        let note = alice.document("notes/e")
        let twice = alice.batch()
        twice.setData(["owner": "bob"], forDocument: note).setData(["owner": "alice"], forDocument: note)
        try await twice.commit()
        let half = alice.batch()
        half.setData(["owner": "alice"], forDocument: alice.document("notes/f")).deleteDocument(
            alice.document("notes/b"))
        await #expect(throws: FirestoreError.self) { try await half.commit() }
        #expect(try await !database.document("notes/f").getDocument().exists)
        // References belong to the object that made them.
        let mixed = alice.batch().deleteDocument(database.document("notes/a"))
        #expect(text(.invalidArgument) { try mixed.sync.commit() } != nil)
    }

    @Test func transactions() async throws {
        let note = alice.document("notes/a")
        let n = try await alice.runTransaction { transaction in
            let n = try transaction.getDocument(note)["n"] as? Int ?? 0
            transaction.updateData(["n": n + 1], forDocument: note)
            return n
        }
        #expect(n == 1)
        let hidden = alice.document("notes/b")
        await #expect(throws: FirestoreError.self) {
            try await alice.runTransaction { _ = try $0.getDocument(hidden) }
        }
        await #expect(throws: FirestoreError.self) {
            try await alice.runTransaction { _ = $0.updateData(["n": 9], forDocument: note) }
        }
    }

    /// The state that a transaction has read may be gone: that is a conflict, which it repeats, and no refusal.
    @Test func transactionsInConflict() async throws {
        let note = alice.document("notes/a")
        let rounds = Rounds.of(200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<rounds {
                        try await alice.runTransaction { transaction in
                            let n = try transaction.getDocument(note)["n"] as? Int ?? 0
                            transaction.updateData(["n": n + 1], forDocument: note)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await note.getDocument()["n"] as? Int == 1 + 4 * rounds)
    }

    /// Whatever asks no rules is refused.
    @Test func theRestIsForAdministrators() async throws {
        let file = URL(filePath: sample.path + ".copy")
        let calls: [(String, () async throws -> Void)] = [
            ("listCollections", { _ = try await alice.listCollections() }),
            ("collections", { _ = try await alice.document("notes/a").listCollections() }),
            ("explain", { _ = try await alice.collection("notes").explain(ExplainOptions()) }),
            ("indexes", { try await alice.setIndexConfiguration("{}") }),
            ("expired", { _ = try await alice.deleteExpiredDocuments() }),
            ("version", { _ = try await alice.dataVersion() }),
            ("import", { _ = try await alice.importDocuments(from: file) }),
            ("export", { _ = try await alice.exportDocuments(to: file) }),
            ("backup", { try await alice.backup(to: file) }),
            ("verify", { _ = try await alice.verify() }),
        ]
        for (name, call) in calls {
            do {
                try await call()
                Issue.record("\(name) was allowed")
            } catch {
                #expect((error as? FirestoreError)?.status == .permissionDenied, "\(name): \(error)")
            }
        }
    }

    @Test func withoutRules() throws {
        database.securityRules = nil
        #expect(text(.permissionDenied) { _ = try alice.document("notes/a").sync.getDocument() } == Self.production)
        #expect(try database.document("notes/a").sync.getDocument().exists)
        database.securityRules = try SecurityRules(
            "service cloud.firestore { match /databases/{d}/documents/{p=**} { allow read; } }")
        #expect(try nobody.document("notes/a").sync.getDocument().exists)
    }

    /// One thread opens and closes a gate while others write what the rules allow through an open gate only. Each write takes the
    /// gate's number with it.
    @Test func noWritePassesAClosedGate() async throws {
        database.securityRules = try SecurityRules(
            """
            service cloud.firestore { match /databases/{d}/documents { match /through/{id} {
              allow create: if get(/databases/$(d)/documents/gates/g).data.open
                && existsAfter(/databases/$(d)/documents/through/$(id));
            } } }
            """)
        let gate = database.document("gates/g")
        try await gate.setData(["open": false])
        let rounds = Rounds.of(500)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<rounds * 4 {
                        try? await nobody.document("through/w\(writer)n\(number)").setData([:])
                    }
                }
            }
            for _ in 0..<rounds {
                try await gate.setData(["open": true])
                try await gate.setData(["open": false])
                // The gate is closed, and nobody else opens it.
                let count = try await database.collection("through").count.getAggregation(source: .server).count
                let later = try await database.collection("through").count.getAggregation(source: .server).count
                #expect(count == later)
            }
            try await group.waitForAll()
        }
    }
}
