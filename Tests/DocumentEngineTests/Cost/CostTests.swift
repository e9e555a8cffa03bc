// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// The cost of a query depends on its result, not on its collection: the counters are the same at any size.
@Suite struct CostTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        /// The request for a collection of some size.
        let request: @Sendable (Int) -> QueryRequest
        /// The number of entries that a result of 20 documents may cost.
        let entries: Int
        var rows = 20

        var testDescription: String { name }

        init(
            _ name: String, entries: Int = 20, from query: Query = .collection("c"),
            _ change: @escaping @Sendable (inout Query, Int) -> Void
        ) {
            self.name = name
            self.entries = entries
            request = { size in .documents(query.with { change(&$0, size) }) }
        }

        init(
            _ name: String, aggregating kind: Aggregation.Kind, entries: Int = 20,
            _ change: @escaping @Sendable (inout Query) -> Void
        ) {
            self.name = name
            self.entries = entries
            rows = 1
            request = { _ in
                .aggregation(
                    AggregationQuery(Query.collection("c").with(change), [Aggregation(alias: nil, kind)]))
            }
        }
    }

    static let shapes: [Shape] = [
        Shape("equality") { query, _ in query.filter = .field("kind", .equal, "hit") },
        Shape("equality and order") { query, _ in
            query.filter = .field("kind", .equal, "hit")
            query.orders = [Order("n")]
        },
        Shape("range, ascending") { query, _ in query.filter = range },
        Shape("range, descending") { query, _ in
            query.filter = range
            query.orders = [Order("n", .descending)]
        },
        Shape("array-contains") { query, _ in query.filter = .field("tags", .arrayContains, "hit") },
        Shape("array-contains and order") { query, _ in
            query.filter = .field("tags", .arrayContains, "other")
            query.orders = [Order("n")]
            query.limit = 20
        },
        Shape("two orders") { query, _ in
            query.orders = [Order("group"), Order("n", .descending)]
            query.limit = 20
        },
        Shape("in") { query, _ in query.filter = .field("code", .in, [0, 1, 2]) },
        Shape("or") { query, _ in
            query.filter = .or([.field("left", .equal, true), .field("right", .equal, true)])
        },
        Shape("not equal") { query, _ in
            query.filter = .field("kind", .notEqual, "hit")
            query.limit = 20
        },
        Shape("a page deep in the list") { query, size in
            query.orders = [Order("n")]
            query.start = Cursor([.integer(Int64(size / 2))], before: false)
            query.limit = 20
        },
        Shape("the last rows") { query, _ in
            query.orders = [Order("n")]
            query.limit = 20
            query.limitToLast = true
        },
        Shape("names") { query, _ in
            query.filter = .and([
                .field(.documentName, .greaterThanOrEqual, name(500)), .field(.documentName, .lessThan, name(520)),
            ])
        },
        Shape("collection group", from: .collectionGroup("g")) { query, _ in
            query.filter = .field("kind", .equal, "hit")
        },
        Shape("count with limit", aggregating: .count(upTo: nil)) { query in
            query.orders = [Order("n")]
            query.limit = 20
        },
        Shape("count up to", aggregating: .count(upTo: 20)) { _ in },
        Shape("sum", aggregating: .sum("n")) { query in query.filter = .field("kind", .equal, "hit") },
    ]

    private static let range = Filter.and([
        .field("n", .greaterThanOrEqual, 500), .field("n", .lessThan, 520),
    ])

    private static func name(_ number: Int) -> Value {
        .reference(Reference(database: DatabaseID(project: "hearth"), path: CostFixture.path(number).resource))
    }

    static let largeSize = Rounds.share > 1 ? 4_000 : 100_000

    @Test func workFollowsTheResult() throws {
        let small = try CostFixture(size: 1_000)
        let large = try CostFixture(size: Self.largeSize)
        for shape in Self.shapes {
            let (few, many) = (try counters(shape, small), try counters(shape, large))
            #expect(few == many, "\(shape.name)")
            #expect(many.entriesScanned == shape.entries, "\(shape.name)")
            #expect(many.documentsRead == (shape.rows == 1 ? 0 : 20), "\(shape.name)")
            #expect(many.rows == shape.rows && many.documentsRejected == 0, "\(shape.name)")
        }
    }

    /// A shape for which production's plan reads more than the result needs.
    struct Gain {
        let shape: Shape
        /// Entries, seeks and documents.
        let counters: [Int]
        /// Whether production's way visits every document of the collection.
        var isWhole = false
    }

    static let gains: [Gain] = [
        Gain(
            shape: Shape("a range behind an order of few values") { query, _ in
                query.filter = range
                query.orders = [Order("kind"), Order("n")]
            }, counters: [172, 18, 20], isWhole: true),
        Gain(
            shape: Shape("a range behind an order of many values") { query, _ in
                query.filter = range
                query.orders = [Order("group"), Order("n", .descending)]
            }, counters: [252, 25, 40], isWhole: true),
        Gain(
            shape: Shape("one index backwards instead of two") { query, _ in
                query.filter = .and([.field("kind", .equal, "hit"), .field("left", .equal, true)])
                query.orders = [Order(.documentName, .descending)]
            }, counters: [10, 1, 10]),
        Gain(
            shape: Shape("in, ordered by its field") { query, _ in
                query.filter = .field("code", .in, [2, 1, 0])
                query.orders = [Order("code")]
                query.limit = 5
            }, counters: [5, 1, 5]),
    ]

    /// If another plan than production's is cheaper, it runs. The answer is the same, and the cost depends on the
    /// result.
    @Test func anotherWayIsTakenWhereItIsShorter() throws {
        let small = try CostFixture(size: Self.largeSize / 2)
        let large = try CostFixture(size: Self.largeSize)
        for gain in Self.gains {
            let request = gain.shape.request(large.size)
            let (few, many) = (try counters(gain.shape, small), try counters(gain.shape, large))
            let production = try large.database.engine.run(request, by: .production)
            let ran = try large.database.engine.run(request)
            let (rows, expected) = (try ran.documents, try production.documents)
            #expect(rows.map(\.path) == expected.map(\.path), "\(gain.shape.name)")
            #expect(few == many, "\(gain.shape.name)")
            let found = [many.entriesScanned, many.seeks, many.documentsRead]
            #expect(found == gain.counters, "\(gain.shape.name): production \(production.counters)")
            if gain.isWhole { #expect(production.counters.entriesScanned == large.size) }
        }
    }

    /// In strict mode. Bytes are left out, because they depend on the digits of names.
    private func counters(_ shape: Shape, _ fixture: CostFixture) throws -> ExecutionCounters {
        let engine = fixture.database.engine
        let result =
            switch shape.request(fixture.size) {
            case .documents(let query): try engine.run(query)
            case .aggregation(let query): try engine.run(query)
            }
        var counters = result.counters
        counters.bytesRead = 0
        return counters
    }
}
