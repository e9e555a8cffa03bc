// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// No operator looks up a document that it is positioned on or already has, and none looks up a document twice.
@Suite struct LookupTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The nodes of the plan that runs, so that a shape keeps testing the operator that it names.
        let runs: String
        let rows: Int
        let lookups: Int
        let query: Query

        init(
            _ name: String, runs: String, rows: Int, lookups: Int, from query: Query = .collection("c"),
            _ change: (inout Query) -> Void = { _ in }
        ) {
            testDescription = name
            self.runs = runs
            self.rows = rows
            self.lookups = lookups
            self.query = query.with(change)
        }
    }

    static let shapes: [Shape] = [
        Shape("collection scan", runs: "Document scan", rows: 40, lookups: 0),
        Shape("collection scan, skipping", runs: "Document scan", rows: 5, lookups: 0) {
            $0.offset = 7
            $0.limit = 5
        },
        Shape("group in name order", runs: "Document scan", rows: 40, lookups: 0, from: .collectionGroup("g")),
        Shape(
            "group in name order, backwards", runs: "Full scan", rows: 40, lookups: 0, from: .collectionGroup("g")
        ) {
            $0.orders = [Order(.documentName, .descending)]
        },
        Shape("index scan", runs: "Index scan", rows: 20, lookups: 20) { $0.filter = .field("kind", .equal, "hit") },
        Shape("join", runs: "Zig-zag join", rows: 10, lookups: 10) {
            $0.filter = .and([.field("kind", .equal, "hit"), .field("left", .equal, true)])
        },
        Shape("merge", runs: "Merge", rows: 40, lookups: 40) {
            $0.filter = .field("kind", .in, ["hit", "miss"])
            $0.orders = [Order("n")]
        },
        Shape("concatenation", runs: "Sequence", rows: 40, lookups: 40) {
            $0.filter = .field("kind", .in, ["hit", "miss"])
            $0.orders = [Order("kind")]
        },
        Shape("sort of a scanned collection", runs: "Full scan", rows: 10, lookups: 0) {
            $0.filter = .field("hidden", .equal, true)
        },
        Shape("vector search", runs: "Vector scan", rows: 3, lookups: 3) {
            $0.nearest = FindNearest(path: "v", vector: [1, 0], measure: .euclidean, limit: 3)
        },
        Shape("vector search over a scanned collection", runs: "Full scan", rows: 3, lookups: 0) {
            $0.filter = .field("hidden", .equal, true)
            $0.nearest = FindNearest(path: "v", vector: [1, 0], measure: .euclidean, limit: 3)
        },
    ]

    @Test(arguments: shapes) func nothingIsLookedUpTwice(shape: Shape) throws {
        let database = try TemporaryDatabase(indexes: Self.indexes)
        _ = try database.engine.commit((0..<40).flatMap(Self.writes))
        let result = try database.engine.run(shape.query, allowScan: true)
        #expect(result.execution.explanation.text.contains(shape.runs), "\(result.execution.explanation.text)")
        #expect(result.counters.rows == shape.rows)
        #expect(result.counters.documentLookups == shape.lookups)
        #expect(try result.documents.count == shape.rows)
    }

    private static let indexes = IndexConfiguration(
        indexes: [
            index(IndexField("kind", .order(.ascending)), IndexField("n", .order(.ascending))),
            index(IndexField("v", .vector(dimension: 2))),
        ],
        fieldOverrides: [FieldOverride(collectionGroup: "c", path: "hidden", indexes: [])])

    private static func index(_ fields: IndexField...) -> IndexDefinition {
        IndexDefinition(collectionGroup: "c", scope: .collection, fields: fields, nameDirection: .ascending)
    }

    private static func writes(_ number: Int) -> [Write] {
        let fields: Fields = [
            "n": .integer(Int64(number)), "kind": number % 2 == 0 ? "hit" : "miss", "left": .boolean(number % 4 == 0),
            "hidden": .boolean(number % 4 == 0), "v": .vector([Double(number), 1]),
        ]
        let id = Text("d\(100 + number)")
        let parent = Text("p\(number % 3)")
        return [
            .set(DocumentPath(ResourcePath(segments: ["c", id])), fields),
            .set(DocumentPath(ResourcePath(segments: ["p", parent, "g", id])), fields),
        ]
    }
}
