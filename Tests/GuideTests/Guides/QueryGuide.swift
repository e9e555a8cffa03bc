// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct QueryGuide {
    private let db: Firestore
    private let citiesRef: CollectionReference

    init() throws {
        db = try Cities.database()
        citiesRef = db.collection("cities")
    }

    @Test func simpleQueries() async throws {
        let query = citiesRef.whereField("state", isEqualTo: "CA")
        #expect(try await query.ids() == ["LA", "SF"])
        let capitalCities = db.collection("cities").whereField("capital", isEqualTo: true)
        #expect(try await capitalCities.ids() == ["BJ", "DC", "TOK"])
    }

    @Test func comparisons() async throws {
        let stateQuery = citiesRef.whereField("state", isEqualTo: "CA")
        let populationQuery = citiesRef.whereField("population", isLessThan: 1_000_000)
        let nameQuery = citiesRef.whereField("name", isGreaterThanOrEqualTo: "San Francisco")
        #expect(try await stateQuery.ids() == ["LA", "SF"])
        #expect(try await populationQuery.ids() == ["DC", "SF"])
        #expect(try await nameQuery.ids() == ["SF", "TOK", "DC"])
    }

    /// Documents without the field, or with null there, are not found.
    @Test func notEqual() async throws {
        let notCapitalQuery = citiesRef.whereField("capital", isNotEqualTo: false)
        #expect(try await Set(notCapitalQuery.ids()) == ["BJ", "DC", "TOK"])
        try await citiesRef.document("NULL").setData(["capital": NSNull()])
        try await citiesRef.document("NONE").setData(["name": "No capital field"])
        #expect(try await Set(notCapitalQuery.ids()) == ["BJ", "DC", "TOK"])
        #expect(try await citiesRef.whereField("capital", isEqualTo: NSNull()).ids() == ["NULL"])
    }

    @Test func arrayMembership() async throws {
        #expect(try await citiesRef.whereField("regions", arrayContains: "west_coast").ids() == ["LA", "SF"])
        let either = citiesRef.whereField("regions", arrayContainsAny: ["west_coast", "east_coast"])
        #expect(try await either.ids() == ["DC", "LA", "SF"])
    }

    @Test func inAndNotIn() async throws {
        #expect(try await citiesRef.whereField("country", in: ["USA", "Japan"]).ids() == ["DC", "LA", "SF", "TOK"])
        #expect(try await citiesRef.whereField("country", notIn: ["USA", "Japan"]).ids() == ["BJ"])
        // Whole arrays are compared with `in`.
        let regions = citiesRef.whereField("regions", in: [["west_coast"], ["east_coast"]])
        #expect(try await regions.ids() == ["DC"])
    }

    /// Equalities join without an index of their own; an equality with a range needs one.
    @Test func compoundQueries() async throws {
        let equalities = citiesRef.whereField("state", isEqualTo: "CA").whereField("name", isEqualTo: "Los Angeles")
        #expect(try await equalities.ids() == ["LA"])
        let range = citiesRef.whereField("state", isEqualTo: "CA").whereField("population", isLessThan: 1_000_000)
        await #expect(throws: FirestoreError.self) { try await range.ids() }
        #expect(try await range.idsWithIndexes() == ["SF"])
        let states = citiesRef.whereField("state", isGreaterThanOrEqualTo: "CA").whereField(
            "state", isLessThanOrEqualTo: "IN")
        #expect(try await states.ids() == ["LA", "SF"])
    }

    @Test func orQueries() async throws {
        let query = citiesRef.whereFilter(
            Filter.orFilter([
                Filter.whereField("capital", isEqualTo: true),
                Filter.whereField("population", isGreaterOrEqualTo: 1_000_000),
            ]))
        #expect(try await query.idsWithIndexes().sorted() == ["BJ", "DC", "LA", "TOK"])
        let nested = citiesRef.whereFilter(
            Filter.andFilter([
                Filter.whereField("state", isEqualTo: "CA"),
                Filter.orFilter([
                    Filter.whereField("capital", isEqualTo: true),
                    Filter.whereField("name", isEqualTo: "San Francisco"),
                ]),
            ]))
        #expect(try await nested.ids() == ["SF"])
    }

    /// What the guides say is not allowed.
    @Test func limitations() async throws {
        let lists = citiesRef.whereField("country", notIn: ["USA"]).whereField("state", isNotEqualTo: "CA")
        await #expect(throws: FirestoreError.self) { try await lists.ids() }
        let tooMany = citiesRef.whereField("country", in: Array(0..<31))
        await #expect(throws: FirestoreError.self) { try await tooMany.ids() }
    }

    /// A group query needs an index of its scope.
    @Test func collectionGroups() async throws {
        Cities.storeLandmarks(in: db)
        let museums = db.collectionGroup("landmarks").whereField("type", isEqualTo: "museum")
        do {
            _ = try await museums.getDocuments()
            Issue.record("a group query ran without its index")
        } catch let error as FirestoreError {
            let missing = try #require(error.missingIndex)
            #expect(missing.queryScope == .collectionGroup)
            try await db.setIndexConfiguration(missing.configuration)
        }
        let snapshot = try await museums.getDocuments()
        let names = snapshot.documents.compactMap { $0.data()["name"] as? String }
        #expect(
            Set(names) == [
                "Legion of Honor", "The Getty", "National Air and Space Museum",
                "National Museum of Nature and Science", "Beijing Ancient Observatory",
            ])
    }

    /// Ranges over several fields.
    @Test func multipleRangeFields() async throws {
        let employees = db.collection("employees")
        for (id, salary, experience) in [("a", 90_000, 5), ("b", 120_000, 0), ("c", 150_000, 7), ("d", 110_000, 2)] {
            try await employees.document(id).setData(["salary": salary, "experience": experience])
        }
        let query = employees.whereField("salary", isGreaterThan: 100_000).whereField("experience", isGreaterThan: 0)
        #expect(try await Set(query.idsWithIndexes()) == ["c", "d"])
        let ordered = query.order(by: "salary").order(by: "experience")
        #expect(try await ordered.idsWithIndexes() == ["d", "c"])
    }
}
