// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Sums over entries that repeat numbers: integers beside doubles of the same value, which have the same key, and values that
/// are no numbers.
@Suite struct RepeatedNumberTests {
    @Test func sumsAreThoseOfTheNaiveEvaluator() throws {
        var random = SeededGenerator.printingSeed()
        let documents = Self.documents(&random)
        let database = try TemporaryDatabase(indexes: Self.indexes, documents: documents)
        let naive = NaiveEvaluator(documents)
        var sums = 0
        for query in Self.queries {
            for aggregation in [Aggregation.Kind.sum("n"), .average("n"), .sum("m")] {
                let request = AggregationQuery(query, [Aggregation(alias: nil, aggregation)])
                guard let result = try? database.engine.run(request) else { continue }
                sums += 1
                let (wanted, found) = (try naive.aggregates(of: request)[0], result.aggregates[0].value)
                #expect(wanted.agrees(with: found), "\(aggregation) of \(query): \(found), not \(wanted.value)")
            }
        }
        // The others lack an index.
        #expect(sums == 14)
    }

    /// Few numbers, short and long ones, each many times. The names are long enough for numbers to be known again.
    private static func documents(_ random: inout SeededGenerator) -> [DocumentPath: Fields] {
        let numbers: [Value] = [
            .integer(0), .integer(1), .double(1), .integer(-7), .double(-7), .double(0.5), .double(-0.0),
            .integer(1 << 53),
            .integer(.max), .integer(.max - 1), .integer(.min), .double(1e300), .double(0x1p62), "one", nil, true,
        ]
        var documents: [DocumentPath: Fields] = [:]
        for number in 0..<600 {
            documents[DocumentPath(stringLiteral: "c/document-\(number)")] = [
                "n": random.pick(numbers), "m": random.pick(numbers), "kind": .integer(Int64(random.int(0..<2))),
            ]
        }
        // The first of those with this number, so that the doubles follow an integer.
        documents["c/document-0"] = ["n": .integer(1), "m": .integer(1), "kind": .integer(1)]
        documents["c/document-1"] = ["n": .double(1), "m": .double(1), "kind": .integer(1)]
        return documents
    }

    private static let queries: [Query] = {
        let all = Query.collection("c")
        var equal = all
        equal.filter = .field("kind", .equal, .integer(1))
        var descending = equal
        descending.orders = [Order("n", .descending)]
        var numbered = all
        numbered.filter = .field("n", .equal, .integer(1))
        var above = all
        above.filter = .field("n", .greaterThan, .integer(-8))
        var between = all
        between.filter = .and([
            .field("n", .greaterThanOrEqual, .integer(1)), .field("n", .lessThanOrEqual, .integer(1)),
        ])
        return [all, equal, descending, numbered, above, between]
    }()

    private static let indexes = IndexConfiguration(
        indexes: [("n" as FieldPath, Direction.ascending), ("n", .descending), ("m", .ascending)].map {
            field, direction in
            IndexDefinition(
                collectionGroup: "c", scope: .collection,
                fields: [
                    IndexField("kind", .order(.ascending)), IndexField(field, .order(direction)),
                ], nameDirection: direction)
        })
}
