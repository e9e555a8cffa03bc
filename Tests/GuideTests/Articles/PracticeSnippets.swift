// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Observation
import Testing

@Suite struct TransactionSnippets {
    enum PaymentError: Error {
        case notEnough
    }

    @Test func article() async throws {
        let database = try emptyDatabase()
        let accounts = database.collection("accounts")
        try await accounts.document("ben").setData(["balance": 0])

        let batch = database.batch()
        batch.setData(["name": "Ada", "balance": 100], forDocument: accounts.document("ada"))
        batch.updateData(["balance": 20], forDocument: accounts.document("ben"))
        batch.deleteDocument(accounts.document("closed"))
        try await batch.commit()

        let left = try await database.runTransaction { transaction in
            let account = try transaction.getDocument(accounts.document("ada"))
            let balance = account["balance"] as? Int ?? 0
            guard balance >= 30 else { throw PaymentError.notEnough }
            transaction.updateData(["balance": balance - 30], forDocument: accounts.document("ada"))
            transaction.updateData(["balance": FieldValue.increment(Int64(30))], forDocument: accounts.document("ben"))
            return balance - 30
        }
        #expect(left == 70)
        #expect(try await accounts.document("ben").getDocument()["balance"] as? Int == 50)
    }
}

@Suite struct PagingSnippets {
    @Test func article() async throws {
        let database = try emptyDatabase()
        for number in 0..<30 { try await database.document("posts/\(number)").setData(["time": number / 2]) }

        let newest = database.collection("posts").order(by: "time", descending: true).limit(to: 20)
        let firstPage = try await newest.getDocuments()
        if let last = firstPage.documents.last {
            let secondPage = try await newest.start(afterDocument: last).getDocuments()
            print(secondPage.count)
        }
        #expect(firstPage.count == 20)

        for try await posts in database.collection("posts").batches(of: 500) {
            for post in posts { print(post.documentID) }
        }
    }
}

@Suite struct TestingSnippets {
    func makeDatabase() throws -> Database {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        settings.dispatchQueue = DispatchQueue(label: "tests")
        return try Database.open(path: "test", settings: settings)
    }

    @Test func article() async throws {
        let database = try makeDatabase()
        let error = await #expect(throws: (any Error).self) {
            try await database.setIndexConfiguration(String(contentsOfFile: "firestore.indexes.json", encoding: .utf8))
        }
        #expect(error is CocoaError)
    }
}

@Suite struct ConcurrencySnippets {
    struct City: Codable {
        var name: String
    }

    @MainActor @Observable
    final class CityList {
        private(set) var cities: [City] = []

        func follow(_ query: Query) async throws {
            for try await snapshot in query.snapshots {
                cities = try snapshot.documents.map { try $0.data(as: City.self) }
            }
        }
    }

    @Test func article() async throws {
        let database = try emptyDatabase()
        let readings = [1, 2, 3]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reading in readings {
                group.addTask { try await database.collection("readings").document().setData(["value": reading]) }
            }
            try await group.waitForAll()
        }
        #expect(try await database.collection("readings").getDocuments().count == 3)
    }
}

/// Only compiled, because it creates files.
enum FileSnippets {
    static func article(database: Database, other: Database) async throws {
        try await database.backup(to: URL(filePath: "backup.db"))
        try await database.compact(to: URL(filePath: "smaller.db")) { fraction in print(fraction) }

        let count = try await database.exportDocuments(to: URL(filePath: "documents.ndjson"))
        let summary = try await other.importDocuments(from: URL(filePath: "documents.ndjson"))
        print(count, summary.imported)

        let bundledPath = "catalog.db"
        let settings = FirestoreSettings()
        settings.fileAccess = .immutable
        let catalog = try await Database.open(path: bundledPath, settings: settings)
        print(try await catalog.collection("items").getDocuments().count)

        let result = try await database.verify()
        if result.problemCount > 0 { print(result.problems.joined(separator: "\n")) }

        let repaired = try await database.repair(settingAsideIn: URL(filePath: "unreadable.ndjson"))
        print(repaired.documents, repaired.setAside)

        let path = "old.db"
        let upgraded = try await Database.repair(path: path, settingAsideIn: URL(filePath: "unreadable.ndjson"))
        print(upgraded.documents, upgraded.setAside)
    }
}

@Suite struct MigrationSnippets {
    @Test func article() async throws {
        let database = try emptyDatabase()
        try await database.document("users/ada").setData(["name": "Ada"])
        let indexes = #"{"indexes": []}"#
        try await database.migrate(to: 2) { version in
            switch version {
            case 1: try await database.setIndexConfiguration(indexes)
            case 2:
                for try await users in database.collection("users").batches(of: 500) {
                    let batch = database.batch()
                    for user in users { batch.updateData(["isActive": true], forDocument: user.reference) }
                    try await batch.commit()
                }
            default: break
            }
        }
        #expect(try await database.document("users/ada").getDocument()["isActive"] as? Bool == true)
        #expect(try await database.dataVersion() == 2)
    }
}
