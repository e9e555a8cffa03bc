// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct IndexAndAggregationGuide {
    private let db: Firestore
    private let citiesRef: CollectionReference

    init() throws {
        db = try Cities.database()
        citiesRef = db.collection("cities")
    }

    /// Automatic indexes serve these.
    @Test func queriesOfAutomaticIndexes() async throws {
        #expect(try await citiesRef.whereField("state", isEqualTo: "CA").ids().count == 2)
        #expect(try await citiesRef.whereField("population", isLessThan: 100_000).ids().isEmpty)
        #expect(try await citiesRef.order(by: "population", descending: true).ids().first == "BJ")
        let joined = citiesRef.whereField("country", isEqualTo: "USA").whereField("capital", isEqualTo: false)
        #expect(try await joined.whereField("regions", arrayContains: "norcal").ids() == ["SF"])
    }

    /// The error names the missing index and has a link. With its configuration, the query is served.
    @Test func aMissingIndex() async throws {
        let query = citiesRef.whereField("country", isEqualTo: "USA").order(by: "population")
        do {
            _ = try await query.getDocuments()
            Issue.record("the query ran without its index")
        } catch let error as NSError {
            #expect(error.code == FirestoreErrorCode.failedPrecondition.rawValue)
            #expect(
                error.localizedDescription.hasPrefix(
                    "The query requires an index. For a link to it, open the database with the projectID of your "
                        + "Firebase project"))
        }
        try await db.setIndexConfiguration(
            """
            {
              "indexes": [
                {
                  "collectionGroup": "cities",
                  "queryScope": "COLLECTION",
                  "fields": [
                    { "fieldPath": "country", "order": "ASCENDING" },
                    { "fieldPath": "population", "order": "ASCENDING" }
                  ]
                }
              ],
              "fieldOverrides": []
            }
            """)
        #expect(try await query.ids() == ["DC", "SF", "LA"])
    }

    @Test func count() async throws {
        let query = db.collection("cities")
        let countQuery = query.count
        do {
            let snapshot = try await countQuery.getAggregation(source: .server)
            #expect(snapshot.count == 5)
        } catch {
            Issue.record("counting failed: \(error)")
        }
        let californian = db.collection("cities").whereField("state", isEqualTo: "CA")
        #expect(try await californian.count.getAggregation(source: .server).count == 2)
        #expect(try await query.limit(to: 3).count.getAggregation(source: .server).count == 3)
    }

    @Test func sumAndAverage() async throws {
        let snapshot = try await citiesRef.aggregate([AggregateField.sum("population")])
            .getAggregation(source: .server)
        #expect(snapshot.get(AggregateField.sum("population")) as? Int == 35_940_000)
        let average = try await citiesRef.aggregate([AggregateField.average("population")])
            .getAggregation(source: .server)
        #expect(average.get(AggregateField.average("population")) as? Double == 7_188_000)
        let nothing = try await citiesRef.aggregate([.sum("age"), .average("age")]).getAggregation(source: .server)
        #expect(nothing.get(AggregateField.sum("age")) as? Int == 0)
        #expect(nothing.get(AggregateField.average("age")) is NSNull)
    }

    @Test func severalAtOnce() async throws {
        let aggregateQuery = citiesRef.whereField("capital", isEqualTo: false).aggregate([
            AggregateField.count(), AggregateField.sum("population"), AggregateField.average("population"),
        ])
        func numbers() async throws -> [NSNumber?] {
            let snapshot = try await aggregateQuery.getAggregation(source: .server)
            return [
                snapshot.count, snapshot.get(AggregateField.sum("population")) as? NSNumber,
                snapshot.get(AggregateField.average("population")) as? NSNumber,
            ]
        }
        // A sum over filtered documents needs an index with its field.
        await #expect(throws: FirestoreError.self) { try await numbers() }
        try await db.setIndexConfiguration(
            """
            {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "capital", "order": "ASCENDING"}, {"fieldPath": "population", "order": "ASCENDING"}]}]}
            """)
        #expect(try await numbers() == [2, 4_760_000, 2_380_000])
    }
}
