// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

@Suite struct DatabaseTests {
    @Test func dataStays() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.db")
        var database: Database? = try Database.open(path: path)
        try database?.document("a/b").sync.setData(["n": 1])
        database = nil
        database = try Database.open(path: path)
        #expect(try database?.document("a/b").sync.getDocument()["n"] as? Int == 1)
    }

    @Test func whatIsNoDatabaseIsRefused() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.txt")
        try Data("not a database, but long enough to be looked at".utf8).write(to: URL(filePath: path))
        #expect(throws: FirestoreError.self) { try Database.open(path: path) }
        #expect(throws: FirestoreError.self) { try Database.open(path: directory.path("no/folder/a.db")) }
        #expect(throws: FirestoreError.self) { try Database.open(path: directory.url.path) }
        #expect(throws: FirestoreError.self) { try Database.open(path: "") }
    }

    @Test func memoryOnly() throws {
        let directory = try TemporaryDirectory()
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let path = directory.path("a.db")
        let first = try Database.open(path: path, settings: settings)
        let second = try Database.open(path: path, settings: settings)
        try first.document("a/b").sync.setData(["text": String(repeating: "x", count: 1_000_000)])
        for number in 0..<50 { try first.document("c/\(number)").sync.setData(["n": number]) }
        #expect(try first.document("c/49").sync.getDocument()["n"] as? Int == 49)
        #expect(try !second.document("a/b").sync.getDocument().exists)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func terminating() async throws {
        let sample = try Sample()
        let document = sample.database.document("a/b")
        document.setData(["n": 1]) { #expect($0 == nil) }
        try await sample.database.terminate()
        do {
            try await document.setData(["n": 2])
            Issue.record("a terminated database was written to")
        } catch FirestoreErrorCode.failedPrecondition {
            // As expected.
        }
        let again = try await Database.open(path: sample.path, settings: Sample.settings)
        #expect(try await again.document("a/b").getDocument()["n"] as? Int == 1)
    }

    /// What was read before is still there.
    @Test func snapshotsOutliveTheDatabase() async throws {
        await #expect(processExitsWith: .success) {
            struct Item: Codable { var n: Int }
            let database = try await Database.open(path: "", settings: DatabaseTests.memory)
            let items = database.collection("items")
            let item = items.document("a")
            try await item.setData(["ref": item, "n": 1])
            let query = items.whereField("n", isGreaterThan: 0)
            let snapshot = try await query.getDocuments()
            let missing = try await items.document("b").getDocument()
            let before = snapshot.documents[0].data()["ref"] as? DocumentReference
            try await database.terminate()
            #expect(snapshot.documentChanges.map(\.document.documentID) == ["a"])
            let after = snapshot.documents[0].data()["ref"] as? DocumentReference
            #expect(before == item && after == item)
            #expect(try missing.data(as: Item?.self) == nil)
            #expect(query == items.whereField("n", isGreaterThan: 0))
        }
    }

    /// Everything that ported code does with errors.
    @Test func errorsAreNSErrors() throws {
        let document = try Sample().database.document("a/missing")
        do {
            try document.sync.updateData(["a": 1])
            Issue.record("a missing document was updated")
        } catch let error as NSError {
            #expect(error.domain == FirestoreErrorDomain)
            #expect(error.code == FirestoreErrorCode.notFound.rawValue)
            #expect(FirestoreErrorCode.Code(rawValue: error.code) == .notFound)
            #expect("\(error)" == error.localizedDescription)
            #expect(Set([error, error]).count == 1)
        }
    }

    private static var memory: FirestoreSettings {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        return settings
    }

    /// A single test, because a process has one default database.
    @Test func defaultDatabase() async throws {
        let directory = try TemporaryDirectory()
        setenv("HEARTH_DATABASE", directory.path("default.db"), 1)
        let database = Firestore.firestore()
        #expect(Firestore.firestore() === database)
        #expect(!FileManager.default.fileExists(atPath: directory.path("default.db")))
        try await database.document("a/b").setData(["n": 1])
        #expect(FileManager.default.fileExists(atPath: directory.path("default.db")))
        try await database.terminate()
        #expect(Firestore.firestore() !== database)
        #expect(try await Firestore.firestore().document("a/b").getDocument()["n"] as? Int == 1)
        try await Firestore.firestore().terminate()
    }
}
