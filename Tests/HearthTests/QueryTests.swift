// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct QueryTests {
    private let sample: Sample
    private let cities: CollectionReference

    init() throws {
        sample = try Sample()
        cities = try Cities.load(into: sample.database)
    }

    /// The expected IDs follow from the table of the guides.
    @Test func filters() throws {
        #expect(try cities.ids() == ["BJ", "DC", "LA", "SF", "TOK"])
        #expect(try cities.whereField("capital", isEqualTo: true).ids() == ["BJ", "DC", "TOK"])
        #expect(try cities.whereField("state", isNotEqualTo: "NY").ids() == ["LA", "SF"])
        #expect(try cities.whereField("population", isLessThan: 860_000.0).ids() == ["DC"])
        #expect(try cities.whereField("population", isLessThanOrEqualTo: 860_000).ids() == ["DC", "SF"])
        #expect(try cities.whereField("population", isGreaterThan: 9_000_000).ids() == ["BJ"])
        #expect(try cities.whereField("population", isGreaterThanOrEqualTo: 9_000_000).ids() == ["TOK", "BJ"])
        #expect(try cities.whereField("regions", arrayContains: "west_coast").ids() == ["LA", "SF"])
        #expect(
            try cities.whereField("regions", arrayContainsAny: ["west_coast", "kanto"]).ids() == ["LA", "SF", "TOK"])
        #expect(try cities.whereField("country", in: ["USA", "Japan"]).ids() == ["DC", "LA", "SF", "TOK"])
        #expect(try cities.whereField("country", notIn: ["USA", "Japan"]).ids() == ["BJ"])
        #expect(try cities.whereField(FieldPath(["regions"]), isEqualTo: ["east_coast"]).ids() == ["DC"])
        #expect(try cities.whereField("regions", in: [["east_coast"], ["kanto", "honshu"]]).ids() == ["DC", "TOK"])
    }

    /// A loop that keeps extending its last query, such as one that reads page by page.
    @Test func aQueryMayComeFromManyOthers() throws {
        var query: Query = cities.order(by: "population")
        for limit in 1...100_000 { query = query.limit(to: limit) }
        for limit in [17, 3, 2] { query = query.limit(to: limit) }
        #expect(try query.ids() == ["DC", "SF"])
        #expect(try query.limit(to: 5).ids().count == 5)
    }

    @Test func compositeFilters() throws {
        let filter = Filter.orFilter([
            .whereField("capital", isEqualTo: true),
            .andFilter([
                .whereField("state", isEqualTo: "CA"), .whereField("country", in: ["USA"]),
            ]),
        ])
        #expect(try cities.whereFilter(filter).ids() == ["BJ", "DC", "LA", "SF", "TOK"])
        #expect(
            try cities.whereFilter(
                .orFilter([.whereField("state", isEqualTo: "CA"), .whereField("name", isEqualTo: "Tokyo")])
            )
            .ids() == ["LA", "SF", "TOK"])
        #expect(try cities.whereFilter(.andFilter([])).ids().count == 5)
        #expect(
            text(.invalidArgument) { _ = try cities.whereFilter(.orFilter([])).ids() }
                == "Composite filter must have at least one sub-filter.")
    }

    /// V-31: null and NaN have operators of their own.
    @Test func nullAndNaN() throws {
        let values = sample.database.collection("values")
        for (id, value) in ["null": NSNull(), "nan": Double.nan, "one": 1] as [String: Any] {
            try values.document(id).sync.setData(["v": value])
        }
        try values.document("none").sync.setData([:])
        #expect(try values.whereField("v", isEqualTo: NSNull()).ids() == ["null"])
        #expect(try values.whereField("v", isEqualTo: Int?.none as Any).ids() == ["null"])
        #expect(try values.whereField("v", isEqualTo: Double.nan).ids() == ["nan"])
        #expect(try values.whereField("v", isNotEqualTo: NSNull()).ids() == ["nan", "one"])
        #expect(try values.whereField("v", isNotEqualTo: Double.nan).ids() == ["one"])
    }

    @Test func ordersAndLimits() throws {
        #expect(try cities.order(by: "population").ids() == ["DC", "SF", "LA", "TOK", "BJ"])
        #expect(try cities.order(by: "name", descending: true).limit(to: 2).ids() == ["DC", "TOK"])
        #expect(try cities.order(by: "state").ids() == ["LA", "SF"])
        #expect(try cities.order(by: "population").limit(toLast: 2).ids() == ["TOK", "BJ"])
        #expect(try cities.order(by: FieldPath.documentID()).limit(to: 1).ids() == ["BJ"])
        #expect(try cities.limit(to: 1).limit(to: 2).ids() == ["BJ", "DC"])
    }

    @Test func cursorsWithValues() throws {
        let ordered = cities.order(by: "population")
        #expect(try ordered.start(at: [3_900_000]).ids() == ["LA", "TOK", "BJ"])
        #expect(try ordered.start(after: [3_900_000]).ids() == ["TOK", "BJ"])
        #expect(try ordered.end(at: [3_900_000]).ids() == ["DC", "SF", "LA"])
        #expect(try ordered.end(before: [3_900_000]).ids() == ["DC", "SF"])
        #expect(try ordered.start(at: [1_000_000]).end(at: [10_000_000.5]).ids() == ["LA", "TOK"])
        #expect(try ordered.start(at: [1]).start(after: [9_000_000]).ids() == ["BJ"])
        #expect(try ordered.limit(toLast: 1).end(before: [9_000_000]).ids() == ["LA"])
        let byName = cities.order(by: FieldPath.documentID())
        #expect(try byName.start(after: ["DC"]).ids() == ["LA", "SF", "TOK"])
    }

    /// implied orders count too, so no document is repeated or missed.
    @Test func cursorsWithSnapshots() throws {
        let byCountry = cities.order(by: "country", descending: true)
        let all = try byCountry.ids()
        #expect(all == ["SF", "LA", "DC", "TOK", "BJ"])
        for (index, id) in all.enumerated() {
            let snapshot = try cities.document(id).sync.getDocument()
            #expect(try byCountry.start(atDocument: snapshot).ids() == Array(all[index...]))
            #expect(try byCountry.start(afterDocument: snapshot).ids() == Array(all[(index + 1)...]))
            #expect(try byCountry.end(atDocument: snapshot).ids() == Array(all[...index]))
            #expect(try byCountry.end(beforeDocument: snapshot).ids() == Array(all[..<index]))
            #expect(try byCountry.limit(toLast: 2).end(atDocument: snapshot).ids() == Array(all[...index].suffix(2)))
        }
        let large = cities.whereField("population", isGreaterThan: 700_000)
        let page = try large.limit(to: 2).sync.getDocuments()
        #expect(page.documents.map(\.documentID) == ["SF", "LA"])
        #expect(try large.start(afterDocument: page.documents[1]).ids() == ["TOK", "BJ"])
        // The filter is added after the cursor and still implies the order.
        let later = cities.start(afterDocument: page.documents[1]).whereField("population", isGreaterThan: 700_000)
        #expect(try later.ids() == ["TOK", "BJ"])
    }

    @Test func filtersOnDocumentID() throws {
        let id = FieldPath.documentID()
        #expect(try cities.whereField(id, isEqualTo: "SF").ids() == ["SF"])
        #expect(try cities.whereField(id, in: ["SF", cities.document("BJ"), "none"]).ids() == ["BJ", "SF"])
        #expect(try cities.whereField(id, isGreaterThan: "LA").ids() == ["SF", "TOK"])
        #expect(try cities.whereField(id, notIn: ["SF", "LA", "DC"]).ids() == ["BJ", "TOK"])
        try sample.database.document("cities/SF/landmarks/bridge").sync.setData(["name": "bridge"])
        try sample.database.document("cities/LA/landmarks/sign").sync.setData(["name": "sign"])
        let landmarks = sample.database.collectionGroup("landmarks")
        #expect(try landmarks.ids() == ["sign", "bridge"])
        #expect(try landmarks.whereField(id, isEqualTo: "cities/SF/landmarks/bridge").ids() == ["bridge"])
        #expect(try landmarks.order(by: id).start(at: ["cities/M/landmarks/a"]).ids() == ["bridge"])
        let documents = try landmarks.sync.getDocuments().documents
        #expect(documents.map(\.reference.path) == ["cities/LA/landmarks/sign", "cities/SF/landmarks/bridge"])
    }

    @Test func snapshots() throws {
        let query = cities.whereField("state", isEqualTo: "CA")
        let snapshot = try query.sync.getDocuments()
        #expect(snapshot.count == 2 && !snapshot.isEmpty && snapshot.query === query)
        let name: [String: Any] = snapshot.documents[0].data()
        #expect(name["name"] as? String == "Los Angeles")
        #expect(snapshot.documents[0].exists && snapshot.documents[0]["population"] as? Int == 3_900_000)
    }

    @Test func equality() throws {
        let query = cities.whereField("a", isEqualTo: 1).order(by: "b")
        #expect(query == sample.database.collection("cities").whereField("a", isEqualTo: 1).order(by: "b"))
        #expect(query != cities.whereField("a", isEqualTo: 2).order(by: "b"))
        #expect(query != cities.whereField("a", isEqualTo: 1).order(by: "b").limit(to: 1))
        #expect(cities as Query == sample.database.collection("cities"))
    }

    @Test func asynchronousAndCallbackForms() async throws {
        let query = cities.whereField("capital", isEqualTo: true)
        #expect(try await query.getDocuments().count == 3)
        #expect(try await query.count.getAggregation(source: .server).count == 3)
        let found = await withCheckedContinuation { continuation in
            query.getDocuments { snapshot, error in continuation.resume(returning: (snapshot?.count, error == nil)) }
        }
        #expect(found == (3, true))
        let failed = await withCheckedContinuation { continuation in
            query.limit(to: 0).getDocuments(source: .cache) { snapshot, error in
                continuation.resume(returning: (snapshot == nil, (error as NSError?)?.code))
            }
        }
        #expect(failed == (true, 3))
    }
}
