// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// Only compiled, because it creates files.
enum OpeningSnippets {
    static func landing() async throws {
        let database = try await Database.open(path: "cities.db")
        let cities = database.collection("cities")

        try await cities.document("SF").setData(["name": "San Francisco", "state": "CA", "population": 860_000])
        try await cities.document("LA").setData(["name": "Los Angeles", "state": "CA", "population": 3_900_000])

        for city in try await cities.whereField("state", isEqualTo: "CA").getDocuments().documents {
            print(city.documentID, city["name"] ?? "")
        }
    }

    static func gettingStarted() async throws -> Database {
        let database = try await Database.open(path: "app.db")
        return database
    }

    static func script() throws {
        let database = try Database.open(path: "script.db")
        try database.document("cities/SF").sync.setData(["name": "San Francisco"])
    }

    static func durability() async throws {
        let settings = FirestoreSettings()
        settings.durability = .mayLoseLastCommits
        let database = try await Database.open(path: "cache.db", settings: settings)
        settings.logHandler = { level, message in
            if level == .error { print("Hearth:", message) }
        }
        _ = database
    }

    static func defaultDatabase() async throws {
        let db = Firestore.firestore()
        let sfReference = db.collection("cities").document("SF")
        let _ = try await db.runTransaction({ (transaction, errorPointer) -> Any? in
            let sfDocument: DocumentSnapshot
            do {
                try sfDocument = transaction.getDocument(sfReference)
            } catch let fetchError as NSError {
                errorPointer?.pointee = fetchError
                return nil
            }
            let population = sfDocument.data()?["population"] as? Int ?? 0
            transaction.updateData(["population": population + 1], forDocument: sfReference)
            return nil
        })
    }
}

@Suite struct GettingStartedSnippets {
    struct City: Codable {
        @DocumentID var id: String?
        var name: String
        var state: String?
        var population: Int
    }

    @Test func article() async throws {
        let settings = FirestoreSettings()
        settings.cacheSettings = MemoryCacheSettings()
        let database = try await Database.open(path: "tests", settings: settings)

        let city = database.collection("cities").document("SF")
        try await city.setData(["name": "San Francisco", "state": "CA", "population": 860_000])
        try await city.updateData(["population": FieldValue.increment(Int64(1)), "mayor.name": "Breed"])

        let snapshot = try await city.getDocument()
        if snapshot.exists {
            let name = snapshot["name"] as? String
            let population = snapshot["population"] as? Int
            print(name ?? "", population ?? 0)
        }
        #expect(snapshot["population"] as? Int == 860_001)

        let losAngeles = City(name: "Los Angeles", state: "CA", population: 3_900_000)
        try await database.collection("cities").addDocument(encoding: losAngeles)
        let sanFrancisco = try await city.getDocument(as: City.self)
        #expect(sanFrancisco.id == "SF")

        let query = database.collection("cities")
            .whereField("population", isGreaterThan: 500_000)
            .order(by: "population", descending: true)
            .limit(to: 10)
        let largest = try await query.getDocuments().documents.map { try $0.data(as: City.self) }
        #expect(largest.map(\.name) == ["Los Angeles", "San Francisco"])
    }

    @Test func blockingForms() throws {
        let database = try emptyDatabase()
        let document = database.document("cities/SF")
        try document.sync.setData(["name": "San Francisco"])
        let name = try document.sync.getDocument()["name"] as? String
        #expect(name == "San Francisco")
    }
}

@Suite struct RealmAndGRDBSnippets {
    struct Player: Codable {
        @DocumentID var id: String?
        var name: String
        var score: Int
    }

    @Test func article() async throws {
        let database = try emptyDatabase()
        let players = database.collection("players")
        try players.addDocument(from: Player(name: "Arthur", score: 100))
        let best = try await players.order(by: "score", descending: true).limit(to: 10).getDocuments()
        let list = try best.documents.map { try $0.data(as: Player.self) }
        #expect(list.map(\.name) == ["Arthur"])

        let first = try await players.order(by: "score").limit(to: 25).getDocuments()
        if let last = first.documents.last {
            let second = try await players.order(by: "score").start(afterDocument: last).limit(to: 25).getDocuments()
            print(second.count)
        }

        let numbers = try await players.aggregate([.count(), .sum("score"), .average("score")])
            .getAggregation(source: .server)
        let total = numbers.get(.sum("score")) as? Int
        #expect(total == 100)
    }
}

@Suite struct IndexSnippets {
    @Test func article() async throws {
        let database = try emptyDatabase()
        let query = database.collection("tasks").whereField("userId", isEqualTo: "ada").order(by: "createdTime")
        do {
            _ = try await query.getDocuments()
        } catch let error as FirestoreError {
            print(error.localizedDescription)
            if let missing = error.missingIndex {
                print("Add to firestore.indexes.json:", missing.configuration)
            }
        }

        try await database.setIndexConfiguration(
            """
            {
              "indexes": [
                {
                  "collectionGroup": "tasks",
                  "queryScope": "COLLECTION",
                  "fields": [
                    { "fieldPath": "userId", "order": "ASCENDING" },
                    { "fieldPath": "createdTime", "order": "ASCENDING" }
                  ]
                }
              ],
              "fieldOverrides": []
            }
            """)
        #expect(try await query.getDocuments().isEmpty)

        let results = try await query.explain(ExplainOptions(analyze: true))
        print(results.metrics.planSummary.indexesUsed)
        print(results.metrics.planSummary.executedPlan)
        if let stats = results.metrics.executionStats {
            print(stats.resultsReturned, "documents from", stats.entriesScanned, "index entries")
            print("production would bill", stats.readOperations, "read operations")
        }
        #expect(results.metrics.planSummary.indexesUsed.count == 1)
    }
}
