// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Synchronization
import Testing

@Suite struct TransactionTests {
    private let sample: Sample
    private let database: Database
    private let document: DocumentReference

    init() throws {
        sample = try Sample()
        database = sample.database
        document = database.document("cities/SF")
        try document.sync.setData(["n": 0])
    }

    /// W-24: the versions of documents that were read are checked when the writes are committed.
    @Test func readsThenWrites() async throws {
        let result = try await database.runTransaction { [document] transaction in
            let n = try transaction.getDocument(document)["n"] as? Int ?? -1
            transaction.updateData(["n": n + 1], forDocument: document)
            transaction.setData(["made": true], forDocument: document.parent.document("NEW"))
            return n + 1
        }
        #expect(result == 1)
        #expect(try await document.getDocument()["n"] as? Int == 1)
        #expect(try await document.parent.document("NEW").getDocument().exists)
    }

    /// The guides' program, with FirebaseFirestore's signature.
    @Test func errorPointer() async throws {
        let document = document
        let result = try await database.runTransaction({ (transaction, errorPointer) -> Any? in
            let snapshot: DocumentSnapshot
            do {
                try snapshot = transaction.getDocument(document)
            } catch let fetchError as NSError {
                errorPointer?.pointee = fetchError
                return nil
            }
            guard let old = snapshot.data()?["n"] as? Int else {
                errorPointer?.pointee = NSError(domain: "AppErrorDomain", code: -1)
                return nil
            }
            transaction.updateData(["n": old + 1], forDocument: document)
            return old
        })
        #expect(result as? Int == 0)
        do {
            _ = try await database.runTransaction({ (transaction, errorPointer) -> Any? in
                transaction.updateData(["n": 7], forDocument: document)
                errorPointer?.pointee = NSError(domain: "AppErrorDomain", code: -1)
                return nil
            })
            Issue.record("the block's error was lost")
        } catch let error as NSError {
            #expect(error.domain == "AppErrorDomain" && error.code == -1)
        }
        #expect(try await document.getDocument()["n"] as? Int == 1)
    }

    @Test func callback() async throws {
        let document = document
        let options = TransactionOptions()
        options.maxAttempts = 1
        let sum = await withCheckedContinuation { continuation in
            database.runTransaction(
                with: options,
                block: { transaction, _ in
                    transaction.updateData(["n": 5], forDocument: document)
                    return 5
                }, completion: { result, error in continuation.resume(returning: error == nil ? result as? Int : nil) })
        }
        #expect(sum == 5)
    }

    /// Each one is applied, and no thread of Swift's pool waits.
    @Test func concurrentTransactions() async throws {
        let document = document
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await database.runTransaction { transaction in
                        let n = try #require(try transaction.getDocument(document)["n"] as? Int)
                        transaction.updateData(["n": n + 1], forDocument: document)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await document.getDocument()["n"] as? Int == 100)
    }

    /// W-26, W-28, W-29: a document that changes between read and commit makes the block run again, at most five times.
    @Test func conflicts() throws {
        for (conflictCount, succeeds) in [(1, true), (4, true), (5, false)] {
            var attempts = 0
            let run = {
                try database.sync.runTransaction { transaction in
                    attempts += 1
                    _ = try transaction.getDocument(document)
                    if attempts <= conflictCount { try document.sync.setData(["other": attempts, "c": conflictCount]) }
                    transaction.updateData(["mine": conflictCount], forDocument: document)
                }
            }
            if succeeds { try run() } else { #expect(text(.failedPrecondition) { try run() } != nil) }
            #expect(attempts == min(conflictCount + 1, 5))
            #expect(try document.sync.getDocument()["mine"] as? Int == (succeeds ? conflictCount : nil))
        }
    }

    /// W-27: documents that were only read are verified too.
    @Test func readsAreVerified() throws {
        let other = document.parent.document("other")
        var attempts = 0
        let seen = try database.sync.runTransaction { transaction in
            attempts += 1
            let seen = try transaction.getDocument(other).exists
            if attempts == 1 { try other.sync.setData(["n": 1]) }
            transaction.setData(["seen": seen], forDocument: document)
            return seen
        }
        #expect(attempts == 2 && seen)
        #expect(try document.sync.getDocument()["seen"] as? Bool == true)
    }

    @Test func readsAlone() throws {
        let version = try document.sync.getDocument().updateTime
        let both = try database.sync.runTransaction { transaction in
            let first = try transaction.getDocument(document)
            return (first.exists, try transaction.getDocument(document.parent.document("none")).exists)
        }
        #expect(both == (true, false))
        #expect(try document.sync.getDocument().updateTime == version)
    }

    /// W-25 to W-28: errors that are not retried.
    @Test func refusals() throws {
        let missing = document.parent.document("missing")
        var attempts = 0
        #expect(
            text(.invalidArgument) {
                try database.sync.runTransaction { transaction in
                    attempts += 1
                    transaction.deleteDocument(document)
                    _ = try transaction.getDocument(document)
                }
            } == "Firestore transactions require all reads to be executed before all writes")
        #expect(
            text(.invalidArgument) {
                try database.sync.runTransaction { transaction in
                    attempts += 1
                    _ = try transaction.getDocument(missing)
                    transaction.updateData(["n": 1], forDocument: missing)
                }
            } == "Can't update a document that doesn't exist.")
        #expect(
            text(.notFound) {
                try database.sync.runTransaction { transaction in
                    attempts += 1
                    transaction.updateData(["n": 1], forDocument: missing)
                }
            } == "No document to update: projects/hearth/databases/(default)/documents/cities/missing")
        #expect(
            text(.aborted) {
                try database.sync.runTransaction { transaction in
                    attempts += 1
                    _ = try transaction.getDocument(document)
                    try document.sync.setData(["n": attempts])
                    _ = try transaction.getDocument(document)
                }
            } == "Document version changed between two reads.")
        #expect(attempts == 4)
        let options = TransactionOptions()
        options.maxAttempts = 0
        #expect(
            text(.invalidArgument) { try database.sync.runTransaction(with: options) { _ in } }
                == "Invalid maxAttempts: 0")
    }

    @Test func afterItsEnd() throws {
        var kept: Transaction?
        try database.sync.runTransaction { kept = $0 }
        #expect(
            text(.failedPrecondition) { _ = try kept?.getDocument(document) }
                == "A transaction object cannot be used after its update callback has been invoked.")
    }

    /// A transaction within another one, both of which are repeated: they do not deadlock.
    @Test func nested() throws {
        var outer = 0
        try database.sync.runTransaction { transaction in
            outer += 1
            _ = try transaction.getDocument(document)
            if outer <= 2 {
                var inner = 0
                try database.sync.runTransaction { nested in
                    inner += 1
                    _ = try nested.getDocument(document)
                    if inner == 1 { try document.sync.setData(["n": 100 + outer]) }
                    nested.updateData(["n": 200 + outer], forDocument: document)
                }
            }
            transaction.updateData(["last": true], forDocument: document)
        }
        #expect(try document.sync.getDocument().data() as NSDictionary? == ["n": 202, "last": true])
    }
}
