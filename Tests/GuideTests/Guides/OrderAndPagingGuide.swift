// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct OrderAndPagingGuide {
    private let db: Firestore
    private let citiesRef: CollectionReference

    init() throws {
        db = try Cities.database()
        citiesRef = db.collection("cities")
    }

    @Test func orderAndLimit() async throws {
        #expect(try await citiesRef.order(by: "name").limit(to: 3).ids() == ["BJ", "LA", "SF"])
        #expect(try await citiesRef.order(by: "name", descending: true).limit(to: 3).ids() == ["DC", "TOK", "SF"])
        #expect(try await citiesRef.order(by: "name").limit(toLast: 2).ids() == ["TOK", "DC"])
        let large = citiesRef.whereField("population", isGreaterThan: 1_000_000).order(by: "population").limit(to: 2)
        #expect(try await large.ids() == ["LA", "TOK"])
    }

    /// An order by two fields needs an index; documents without one of them are left out.
    @Test func orderByTwoFields() async throws {
        let query = citiesRef.order(by: "state").order(by: "population", descending: true)
        #expect(try await query.idsWithIndexes() == ["LA", "SF"])
    }

    @Test func simpleCursors() async throws {
        let byPopulation = db.collection("cities").order(by: "population")
        #expect(try await byPopulation.start(at: [1_000_000]).ids() == ["LA", "TOK", "BJ"])
        #expect(try await byPopulation.end(at: [1_000_000]).ids() == ["DC", "SF"])
        #expect(try await byPopulation.start(after: [3_900_000]).end(before: [21_500_000]).ids() == ["TOK"])
    }

    @Test func aSnapshotAsACursor() async throws {
        await finished { done in
            db.collection("cities").document("SF").getDocument { (document, error) in
                if let document = document {
                    let sfSizeOrBigger = document.reference.parent.order(by: "population").start(
                        atDocument: document)
                    sfSizeOrBigger.getDocuments { snapshot, error in
                        #expect(snapshot?.documents.map { $0.documentID } == ["SF", "LA", "TOK", "BJ"])
                        done()
                    }
                } else {
                    Issue.record("reading failed: \(String(describing: error))")
                    done()
                }
            }
        }
    }

    /// Page after page, until one is empty.
    @Test func pages() async throws {
        let first = db.collection("cities").order(by: "population").limit(to: 2)
        var pages: [[String]] = []
        var next = first
        while true {
            let snapshot = try await next.getDocuments()
            guard let lastSnapshot = snapshot.documents.last else { break }
            pages.append(snapshot.documents.map { $0.documentID })
            next = first.start(afterDocument: lastSnapshot)
        }
        #expect(pages == [["DC", "SF"], ["LA", "TOK"], ["BJ"]])
    }

    /// One name in several states: the second value of a cursor tells them apart.
    @Test func cursorsOfSeveralFields() async throws {
        let towns = db.collection("towns")
        for state in ["Massachusetts", "Missouri", "Wisconsin"] {
            try await towns.document(state).setData(["name": "Springfield", "state": state])
        }
        let query = towns.order(by: "name").order(by: "state")
        #expect(try await query.start(at: ["Springfield"]).idsWithIndexes().count == 3)
        #expect(try await query.start(at: ["Springfield", "Missouri"]).ids() == ["Missouri", "Wisconsin"])
    }
}
