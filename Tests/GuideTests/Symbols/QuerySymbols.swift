// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct QuerySymbols {
    private let db: Firestore
    private let cities: CollectionReference

    init() throws {
        db = try emptyDatabase()
        cities = db.collection("cities")
    }

    /// The number of documents that each query finds among one document with `n: 1`.
    private func count(_ query: Query) async throws -> Int {
        try await cities.document("SF").setData(["n": 1, "list": [1]])
        return try await query.getDocuments().count
    }

    @Test func filters() async throws {
        let path = FieldPath(["n"])
        let list = FieldPath(["list"])
        // Query.whereField(_:isEqualTo:)
        #expect(try await count(cities.whereField("n", isEqualTo: 1)) == 1)
        #expect(try await count(cities.whereField(path, isEqualTo: 1)) == 1)
        // Query.whereField(_:isNotEqualTo:)
        #expect(try await count(cities.whereField("n", isNotEqualTo: 1)) == 0)
        #expect(try await count(cities.whereField(path, isNotEqualTo: 1)) == 0)
        // Query.whereField(_:isLessThan:)
        #expect(try await count(cities.whereField("n", isLessThan: 1)) == 0)
        #expect(try await count(cities.whereField(path, isLessThan: 1)) == 0)
        // Query.whereField(_:isLessThanOrEqualTo:)
        #expect(try await count(cities.whereField("n", isLessThanOrEqualTo: 1)) == 1)
        #expect(try await count(cities.whereField(path, isLessThanOrEqualTo: 1)) == 1)
        // Query.whereField(_:isGreaterThan:)
        #expect(try await count(cities.whereField("n", isGreaterThan: 1)) == 0)
        #expect(try await count(cities.whereField(path, isGreaterThan: 1)) == 0)
        // Query.whereField(_:isGreaterThanOrEqualTo:)
        #expect(try await count(cities.whereField("n", isGreaterThanOrEqualTo: 1)) == 1)
        #expect(try await count(cities.whereField(path, isGreaterThanOrEqualTo: 1)) == 1)
        // Query.whereField(_:arrayContains:)
        #expect(try await count(cities.whereField("list", arrayContains: 1)) == 1)
        #expect(try await count(cities.whereField(list, arrayContains: 1)) == 1)
        // Query.whereField(_:arrayContainsAny:)
        #expect(try await count(cities.whereField("list", arrayContainsAny: [1, 2])) == 1)
        #expect(try await count(cities.whereField(list, arrayContainsAny: [1, 2])) == 1)
        // Query.whereField(_:in:)
        #expect(try await count(cities.whereField("n", in: [1, 2])) == 1)
        #expect(try await count(cities.whereField(path, in: [1, 2])) == 1)
        // Query.whereField(_:notIn:)
        #expect(try await count(cities.whereField("n", notIn: [1, 2])) == 0)
        #expect(try await count(cities.whereField(path, notIn: [1, 2])) == 0)
    }

    @Test func composedFilters() async throws {
        let path = FieldPath(["n"])
        let list = FieldPath(["list"])
        var filter: Filter
        // Filter
        filter = Filter.whereField("n", isEqualTo: 1)
        // Query.whereFilter(_:)
        #expect(try await count(cities.whereFilter(filter)) == 1)
        // Filter.whereField(_:isEqualTo:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isEqualTo: 1))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(path, isEqualTo: 1))) == 1)
        // Filter.whereField(_:isNotEqualTo:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isNotEqualTo: 1))) == 0)
        #expect(try await count(cities.whereFilter(.whereField(path, isNotEqualTo: 1))) == 0)
        // Filter.whereField(_:isLessThan:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isLessThan: 1))) == 0)
        #expect(try await count(cities.whereFilter(.whereField(path, isLessThan: 1))) == 0)
        // Filter.whereField(_:isLessThanOrEqualTo:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isLessThanOrEqualTo: 1))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(path, isLessThanOrEqualTo: 1))) == 1)
        // Filter.whereField(_:isGreaterThan:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isGreaterThan: 1))) == 0)
        #expect(try await count(cities.whereFilter(.whereField(path, isGreaterThan: 1))) == 0)
        // Filter.whereField(_:isGreaterOrEqualTo:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", isGreaterOrEqualTo: 1))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(path, isGreaterOrEqualTo: 1))) == 1)
        // Filter.whereField(_:arrayContains:)
        #expect(try await count(cities.whereFilter(Filter.whereField("list", arrayContains: 1))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(list, arrayContains: 1))) == 1)
        // Filter.whereField(_:arrayContainsAny:)
        #expect(try await count(cities.whereFilter(Filter.whereField("list", arrayContainsAny: [1, 2]))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(list, arrayContainsAny: [1, 2]))) == 1)
        // Filter.whereField(_:in:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", in: [1, 2]))) == 1)
        #expect(try await count(cities.whereFilter(.whereField(path, in: [1, 2]))) == 1)
        // Filter.whereField(_:notIn:)
        #expect(try await count(cities.whereFilter(Filter.whereField("n", notIn: [1, 2]))) == 0)
        #expect(try await count(cities.whereFilter(.whereField(path, notIn: [1, 2]))) == 0)
        // Filter.andFilter(_:)
        filter = Filter.andFilter([.whereField("n", isEqualTo: 1), .whereField("list", arrayContains: 1)])
        #expect(try await count(cities.whereFilter(filter)) == 1)
        // Filter.orFilter(_:)
        filter = Filter.orFilter([.whereField("n", isEqualTo: 2), .whereField("list", arrayContains: 1)])
        #expect(try await count(cities.whereFilter(filter)) == 1)
    }

    /// The values of `n` that a query finds among 1, 2, 3, 4.
    private func numbers(_ query: Query) async throws -> [Int] {
        for n in 1...4 { try await cities.document("\(n)").setData(["n": n]) }
        return try await query.getDocuments().documents.compactMap { $0["n"] as? Int }
    }

    @Test func orderAndLimits() async throws {
        // Query
        let query: Query = cities
        // Query.firestore
        #expect(query.firestore === db)
        // Query.order(by:)
        #expect(try await numbers(query.order(by: "n")) == [1, 2, 3, 4])
        #expect(try await numbers(query.order(by: FieldPath(["n"]))) == [1, 2, 3, 4])
        // Query.order(by:descending:)
        #expect(try await numbers(query.order(by: "n", descending: true)) == [4, 3, 2, 1])
        #expect(try await numbers(query.order(by: FieldPath(["n"]), descending: true)) == [4, 3, 2, 1])
        // Query.limit(to:)
        #expect(try await numbers(query.order(by: "n").limit(to: 2)) == [1, 2])
        // Query.limit(toLast:)
        #expect(try await numbers(query.order(by: "n").limit(toLast: 2)) == [3, 4])
    }

    @Test func cursors() async throws {
        let query = cities.order(by: "n")
        // Query.start(at:)
        #expect(try await numbers(query.start(at: [2])) == [2, 3, 4])
        // Query.start(after:)
        #expect(try await numbers(query.start(after: [2])) == [3, 4])
        // Query.end(before:)
        #expect(try await numbers(query.end(before: [2])) == [1])
        // Query.end(at:)
        #expect(try await numbers(query.end(at: [2])) == [1, 2])
        let two = try await cities.document("2").getDocument()
        // Query.start(atDocument:)
        #expect(try await numbers(query.start(atDocument: two)) == [2, 3, 4])
        // Query.start(afterDocument:)
        #expect(try await numbers(query.start(afterDocument: two)) == [3, 4])
        // Query.end(beforeDocument:)
        #expect(try await numbers(query.end(beforeDocument: two)) == [1])
        // Query.end(atDocument:)
        #expect(try await numbers(query.end(atDocument: two)) == [1, 2])
    }

    @Test func reading() async throws {
        try await cities.document("SF").setData(["n": 1])
        // Query.getDocuments() async
        var snapshot: QuerySnapshot = try await cities.getDocuments()
        #expect(snapshot.count == 1)
        // Query.getDocuments(source:) async
        snapshot = try await cities.getDocuments(source: .cache)
        #expect(snapshot.count == 1)
        await finished { done in
            // Query.getDocuments(completion:)
            cities.getDocuments { querySnapshot, error in
                #expect(querySnapshot?.documents.first?.documentID == "SF" && error == nil)
                done()
            }
        }
        await finished { done in
            // Query.getDocuments(source:completion:)
            cities.getDocuments(source: .server) { querySnapshot, error in
                #expect(querySnapshot?.count == 1 && error == nil)
                done()
            }
        }
    }

    @Test func aggregations() async throws {
        for n in 1...4 { try await cities.document("\(n)").setData(["n": n]) }
        // Query.count
        // AggregateQuery
        let count: AggregateQuery = cities.count
        // AggregateQuery.query
        #expect(count.query == cities)
        // AggregateSource
        let source: AggregateSource
        // AggregateSource.server
        source = .server
        // AggregateQuery.getAggregation(source:) async
        // AggregateQuerySnapshot
        let snapshot: AggregateQuerySnapshot = try await count.getAggregation(source: source)
        // AggregateQuerySnapshot.count
        #expect(snapshot.count == 4)
        // AggregateQuerySnapshot.query
        #expect(snapshot.query === count)
        // AggregateField
        let all: [AggregateField]
        // AggregateField.count()
        // AggregateField.sum(_:)
        // AggregateField.average(_:)
        all = [AggregateField.count(), AggregateField.sum("n"), AggregateField.average("n")]
        #expect(all == [.count(), .sum(FieldPath(["n"])), .average(FieldPath(["n"]))])
        await finished { done in
            // Query.aggregate(_:)
            // AggregateQuery.getAggregation(source:completion:)
            cities.aggregate([.count(), .sum("n"), .average("n")]).getAggregation(source: .server) { snapshot, error in
                #expect(snapshot?.get(.sum("n")) as? Int64 == 10 && error == nil)
                done()
            }
        }
        let numbers = try await cities.aggregate(all).getAggregation(source: .server)
        // AggregateQuerySnapshot.get(_:)
        #expect(numbers.get(AggregateField.average("n")) as? NSNumber == 2.5)
    }
}
