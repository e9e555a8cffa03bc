// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Counts, sums, averages, and vector searches.
@Suite struct RulesAggregationTests {
    static let documents: [DocumentPath: Fields] = [
        "c/A": ["x": 10, "y": 100], "c/B": [:], "c/C": ["x": "s", "y": 20], "c/D": ["x": 20.5],
    ]
    private let database: RuleDatabase

    init() throws {
        database = try RuleDatabase(Self.documents)
    }

    @Test("Q-52 one to five aggregations, unnamed ones numbered")
    func names() throws {
        let count = Aggregation(alias: nil, .count(upTo: nil))
        func query(_ aggregations: [Aggregation]) -> AggregationQuery {
            AggregationQuery(.collection("c"), aggregations)
        }
        let named = [Aggregation(alias: "n", .count(upTo: nil)), count, count]
        #expect(try database.engine.run(query(named)).aggregates.map(\.alias) == ["n", "field_1", "field_2"])
        #expect(
            try database.refusal(.aggregation(query(Array(repeating: count, count: 6))))
                == "The maximum number of aggregations allowed in an aggregation query is 5. Received: 6")
        #expect(try database.refusal(.aggregation(query([]))) == "Aggregations can not be empty.")
        #expect(
            try database.refusal(.aggregation(query([named[0], named[0]])))
                == "Aggregation aliases contain duplicate alias: n.")
    }

    @Test("Q-53 Q-54 aggregated fields must be there, for the count too; what is no number counts but adds nothing")
    func presence() throws {
        #expect(try database.aggregates("c.count()") == [4])
        #expect(try database.aggregates(#"c.aggregate(count(),sum("x"))"#) == [3, 30.5])
        #expect(try database.aggregates(#"c.aggregate(count(),sum("x"),average("y"))"#) == [2, 10, 60])
        let special = try RuleDatabase(values: ["a": .double(.nan), "b": 1])
        #expect(try special.aggregates(#"c.aggregate(sum("v"))"#) == [.double(.nan)])
        let infinite = try RuleDatabase(values: ["a": .double(.infinity), "b": 1])
        #expect(
            try infinite.aggregates(#"c.aggregate(sum("v"),average("v"))"#) == [.double(.infinity), .double(.infinity)])
    }

    private func sums(_ values: Value...) throws -> [Value] {
        let documents = values.enumerated().map { (DocumentPath(ResourcePath(segments: ["c", Text("d\($0)")])), $1) }
        let database = try RuleDatabase(
            Dictionary(uniqueKeysWithValues: documents.map { ($0.0, Fields([Field("v", $0.1)])!) }))
        guard case .array(let found) = try database.aggregates(#"c.aggregate(sum("v"),average("v"))"#) else {
            return []
        }
        return found
    }

    private func areIdentical(_ found: [Value], _ expected: [Value]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { $0.isIdentical(to: $1) }
    }

    @Test("Q-55 Q-56 a sum is an integer if all numbers and the total are; an average is a double, of nothing null")
    func types() throws {
        #expect(areIdentical(try sums(), [0, nil]))
        #expect(areIdentical(try sums("s", nil), [0, nil]))
        #expect(areIdentical(try sums(1, 2), [3, 1.5]))
        #expect(areIdentical(try sums(1, 2.0), [3.0, 1.5]))
        #expect(areIdentical(try sums(.integer(.max), 1, -1), [.integer(.max), .double(0x1p63 / 3)]))
        #expect(
            areIdentical(
                try sums(.integer(.max), .integer(.max)),
                [.double(1.8446744073709552e19), .double(9.223372036854776e18)]))
    }

    @Test("Q-57 a count is the number of rows, at most what it counts up to")
    func counts() throws {
        #expect(try database.aggregates("c.limit(3).count()") == [3])
        #expect(try database.aggregates("c.offset(3).count()") == [1])
        #expect(try database.aggregates(#"c.where("x",">",0).count()"#) == [2])
        func upTo(_ bound: Int64) -> AggregationQuery {
            AggregationQuery(.collection("c"), [Aggregation(alias: nil, .count(upTo: bound))])
        }
        #expect(try database.aggregates(upTo(3)) == [3])
        #expect(try database.aggregates(upTo(9)) == [4])
        #expect(try database.aggregates(upTo(0)) == [0])
        #expect(
            try database.refusal(.aggregation(upTo(-1)))
                == "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
    }

    @Test("Q-58 aggregated fields join the order that a limit cuts")
    func limits() throws {
        #expect(try database.aggregates(#"c.limit(2).aggregate(sum("x"))"#) == [30.5])
        #expect(try database.aggregates(#"c.orderBy("x","desc").limit(2).aggregate(sum("x"))"#) == [20.5])
    }

    /// The rule requires a refusal that names an impossible index. The text is production's.
    @Test("Q-59 nothing is summed after an explicit order by name")
    func sumAfterName() throws {
        let query = try QueryText.parse(
            #"c.orderBy("__name__").aggregate(sum("x"))"#, database: database.engine.database)
        guard case .aggregation(let aggregation) = query else { throw RuleError.noAggregation("") }
        do throws(QueryError) {
            _ = try database.engine.run(aggregation, allowScan: true)
            Issue.record("a sum after the name is answered")
        } catch {
            #expect("\(error)".contains("after __name__"))
        }
    }

    @Test("Q-60 transaction of an aggregation are counted against explicit orders")
    func transaction() throws {
        #expect(try database.aggregates(#"c.orderBy("x").startAfter(10).aggregate(sum("x"))"#) == [20.5])
        #expect(try database.refusal(#"c.startAt(10).aggregate(sum("x"))"#) == "Cursor has too many values.")
    }

    static let vectors: [DocumentPath: Fields] = [
        "c/a": ["v": .vector([1, 0])], "c/b": ["v": .vector([0, 2])], "c/c": ["v": .vector([0, 1])],
        "c/d": ["v": .vector([1, 0, 0])], "c/e": ["v": 1], "c/zero": ["v": .vector([0, 0])],
    ]

    @Test("Q-62 the nearest vectors of the query's dimension, ties by name, within a threshold")
    func nearest() throws {
        let database = try RuleDatabase(Self.vectors)
        func query(_ measure: FindNearest.Measure, _ threshold: Double? = nil, limit: Int = 3) -> Query {
            .collection("c").with {
                $0.nearest = FindNearest(
                    path: "v", vector: [0, 1], measure: measure, limit: limit, distanceField: "far",
                    threshold: threshold)
            }
        }
        #expect(try database.names(query(.euclidean)) == "c b zero")
        #expect(try database.names(query(.euclidean, limit: 9)) == "c b zero a")
        #expect(try database.names(query(.euclidean, 0.5)) == "c")
        #expect(try database.names(query(.dotProduct)) == "b c a")
        #expect(try database.names(query(.dotProduct, 1)) == "b c")
        #expect(try database.documents(query(.dotProduct))[0].fields["far" as Text] == 2)
        #expect(throws: QueryError.self) { try database.names(query(.cosine)) }
        let withoutZero = query(.cosine).with { $0.filter = .field("v", .notEqual, .vector([0, 0])) }
        #expect(try database.names(withoutZero) == "b c a")
        #expect(
            try database.refusal(.documents(query(.euclidean, limit: 1_001)))
                == "FindNearest.limit must be a positive integer of no more than 1000")
    }

    /// A magnitude of zero is refused, a magnitude of NaN is not. Found by the fuzzer.
    @Test("Q-62 a vector with NaN in it does not make a search by cosine fail")
    func nearestToNaN() throws {
        let database = try RuleDatabase(["c/a": ["v": .vector([.nan, 1])], "c/b": ["v": .vector([0, 1])]])
        func names(_ threshold: Double?) throws -> String {
            try database.names(
                .collection("c").with {
                    $0.nearest = FindNearest(
                        path: "v", vector: [0, 1], measure: .cosine, limit: 9, threshold: threshold)
                })
        }
        #expect(try names(nil) == "a b")
        #expect(try names(1) == "b")
    }
}
