// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Queries with one list of values, in a collection and in a group: the rows of merged scans are those of the naive evaluator, and of
/// the plan.
@Suite struct ScanMergeTests {
    @Test func mergedScansHaveTheRowsOfTheQuery() throws {
        var random = SeededGenerator.printingSeed()
        let documents = Self.documents(&random)
        let database = try TemporaryDatabase(indexes: Self.indexes, documents: documents)
        let engine = database.engine
        let naive = NaiveEvaluator(documents)
        var (merged, rows, repeated) = (0, 0, 0)
        for _ in 0..<Rounds.of(1_500) {
            let query = Self.query(&random)
            let catalog = try engine.catalog()
            let access = try Planner.access(
                query, catalog: catalog.indexes, database: engine.database, cache: catalog.plans)
            if case .scans = access { merged += 1 }
            let found = try engine.records(query).map { try $0.path() }
            let wanted = try naive.rows(of: query).map(\.path)
            #expect(found == wanted, "\(query), seed \(random.seed)")
            let planned = try engine.run(query).documents.map(\.path)
            #expect(found == planned, "\(query), seed \(random.seed)")
            rows += found.count
            if case .field(_, .arrayContainsAny, _) = query.filter { repeated += found.count }
            guard found == wanted, found == planned else { return }
        }
        #expect(merged > Rounds.of(1_000), "only \(merged) queries were merged, seed \(random.seed)")
        #expect(rows > Rounds.of(5_000) && repeated > Rounds.of(1_000), "seed \(random.seed)")
        withExtendedLifetime(database) {}
    }

    /// Few values, so that rows are equal in them and lists repeat them, and names of every kind.
    private static func documents(_ random: inout SeededGenerator) -> [DocumentPath: Fields] {
        var documents: [DocumentPath: Fields] = [:]
        for number in 0..<400 {
            let long = String(repeating: "long", count: 130)
            let id = random.pick(["d\(number)", "__id\(number)__", "\(long)\(number)", "\u{e9}\(number)"])
            let collection = random.pick(["c", "p/1/c", "p/2/c", "p/2/q/3/c"])
            let tags = Value.array(withoutLists(.array((0..<random.int(0..<4)).map { _ in value(&random) })))
            documents[DocumentPath(stringLiteral: "\(collection)/\(id)")] = [
                "a": value(&random), "b": value(&random), "n": .integer(Int64(random.int(0..<40))), "tags": tags,
            ]
        }
        return documents
    }

    private static func value(_ random: inout SeededGenerator) -> Value {
        let choices: [Value] = [
            .integer(Int64(random.int(0..<6))), .double(Double(random.int(0..<6))), "x", nil, true, [1],
        ]
        return random.pick(choices)
    }

    private static let indexes: IndexConfiguration = {
        var indexes: [IndexDefinition] = []
        for scope in [QueryScope.collection, .collectionGroup] {
            for direction in [Direction.ascending, .descending] {
                for mode in [IndexFieldMode.order(.ascending), .contains] {
                    let path: FieldPath = mode == .contains ? "tags" : "a"
                    indexes.append(
                        IndexDefinition(
                            collectionGroup: "c", scope: scope,
                            fields: [IndexField(path, mode), IndexField("n", .order(direction))],
                            nameDirection: direction))
                    indexes.append(
                        IndexDefinition(
                            collectionGroup: "c", scope: scope,
                            fields: [
                                IndexField(path, mode), IndexField("b", .order(.ascending)),
                                IndexField("n", .order(direction)),
                            ], nameDirection: direction))
                }
            }
        }
        return IndexConfiguration(indexes: indexes)
    }()

    private static func query(_ random: inout SeededGenerator) -> Query {
        let values = Value.array((0..<random.int(1..<9)).map { _ in value(&random) })
        let isContains = random.chance(0.5)
        var filters: [Filter] = [
            isContains ? .field("tags", .arrayContainsAny, .array(withoutLists(values))) : .field("a", .in, values)
        ]
        let orders = random.chance(0.7) ? [Order("n", random.chance(0.5) ? .ascending : .descending)] : []
        if !orders.isEmpty, random.chance(0.3) {
            filters.insert(.field("b", .equal, .integer(2)), at: random.int(0..<2))
        }
        if !orders.isEmpty, random.chance(0.3) { filters.append(.field("n", .greaterThanOrEqual, .integer(10))) }
        // A group has no automatic indexes.
        var query = orders.isEmpty || random.chance(0.5) ? Query.collection("c") : .collectionGroup("c")
        query.filter = filters.count == 1 ? filters[0] : .and(filters)
        query.orders = orders
        query.limit = random.chance(0.7) ? random.int(1..<20) : nil
        if !orders.isEmpty, random.chance(0.2) {
            query.start = Cursor([.integer(Int64(random.int(0..<40)))], before: random.chance(0.5))
        }
        return query
    }

    private static func withoutLists(_ values: Value) -> [Value] {
        guard case .array(let values) = values else { return [] }
        return values.map { if case .array = $0 { 3 } else { $0 } }
    }
}
