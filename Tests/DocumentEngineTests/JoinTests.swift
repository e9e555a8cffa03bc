// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// Queries that join several indexes: their rows are those of the naive evaluator, whoever reads the pages, and those that
/// production's way of joining finds.
@Suite struct JoinTests {
    @Test func joinsHaveTheRowsOfTheQuery() throws {
        var random = SeededGenerator.printingSeed()
        var (joins, rows) = (0, 0)
        for round in 0..<Rounds.of(12) {
            let documents = Self.documents([700, 60, 3][round % 3], &random)
            let inPages = try TemporaryDatabase(indexes: Self.indexes, documents: documents)
            let byLMDB = try TemporaryDatabase(indexes: Self.indexes, documents: documents, readsPages: false)
            let naive = NaiveEvaluator(documents)
            for _ in 0..<100 {
                let query = Self.query(&random, Array(documents.keys))
                let wanted = try naive.rows(of: query).map(\.path)
                let result = try inPages.engine.run(query)
                let found = try result.documents.map(\.path)
                #expect(found == wanted, "\(query), seed \(random.seed)")
                let theirs = try byLMDB.engine.run(query).documents.map(\.path)
                #expect(theirs == wanted, "\(query), seed \(random.seed)")
                let production = try inPages.engine.run(.documents(query), by: .production).documents.map(\.path)
                #expect(production == wanted, "\(query), seed \(random.seed)")
                guard found == wanted else { return }
                if case .join = result.plan.disjuncts[0].access { joins += 1 }
                rows += found.count
            }
            withExtendedLifetime((inPages, byLMDB)) {}
        }
        #expect(joins > Rounds.of(600) && rows > Rounds.of(1_500), "\(joins), \(rows), seed \(random.seed)")
    }

    /// LMDB's key of such an entry is cut off, in the list of a long value at a place where the other list has the whole name.
    @Test func aNameThatIsLongInOneListOnlyIsFound() throws {
        let text = Self.texts[1]
        let long = DocumentPath(stringLiteral: "c/" + String(repeating: "m", count: 200))
        let both: Fields = ["s": text, "b": 1]
        try expect(
            ["c/a", long, "c/z"], in: ["c/a": both, "c/b": ["s": text, "b": 2], long: both, "c/z": both],
            of: [.field("s", .equal, text), .field("b", .equal, 1)])
        try expect(
            ["c/a", long, "c/z"],
            in: ["c/a": both, "c/n": ["s": text], long: both, "c/z": both],
            of: [.field("b", .equal, 1), .field("s", .equal, text)])
    }

    /// The bound of the lists, too, is longer than the keys that LMDB compares it with.
    @Test func aLongNameMayEndAListBackwards() throws {
        let long = DocumentPath(stringLiteral: "c/" + String(repeating: "m", count: 520))
        let both: Fields = ["a": 1, "b": 1]
        let filters: [Filter] = [.field("a", .equal, 1), .field("b", .equal, 1)]
        for order in [filters, filters.reversed()] {
            try expect(["c/z", long], in: [long: both, "c/x": ["a": 1], "c/y": ["b": 1], "c/z": both], of: order) {
                query in
                query.orders = [Order(.documentName, .descending)]
                let end = Reference(database: DatabaseID(project: "hearth"), path: long.resource)
                query.end = Cursor([.reference(end)], before: false)
            }
        }
    }

    private func expect(
        _ names: [DocumentPath], in documents: [DocumentPath: Fields], of filters: [Filter],
        _ change: (inout Query) -> Void = { _ in }
    ) throws {
        let database = try TemporaryDatabase(documents: documents)
        var query = Query.collection("c")
        query.filter = .and(filters)
        change(&query)
        #expect(try database.engine.run(query).documents.map(\.path) == names)
        #expect(try database.engine.records(query).map { try $0.path() } == names)
    }

    private static let texts: [Value] = ["short", .string(Text(String(repeating: "x", count: 300)))]

    /// Fields of few and of many values, so that lists have one leaf and several, and names of every length.
    private static func documents(_ count: Int, _ random: inout SeededGenerator) -> [DocumentPath: Fields] {
        let long = String(repeating: "long", count: random.pick([100, 130]))
        var documents: [DocumentPath: Fields] = [:]
        for number in 0..<count {
            let common = ["\(number)", "a name of some length \(number)", "\u{e9}\(number)"]
            // With a text of its length before it, a name of two hundred bytes makes a long key, and alone a short one.
            let uncommon = ["\(long)\(number)", "\(String(repeating: "m", count: 200))\(number)"]
            let id = random.pick(random.chance(0.06) ? uncommon : common)
            documents[DocumentPath(stringLiteral: "c/\(id)")] = [
                "a": .integer(Int64(random.int(0..<2))), "b": .integer(Int64(random.int(0..<4))),
                "d": .integer(Int64(random.int(0..<20))), "e": .boolean(random.chance(0.95)),
                "n": .integer(Int64(random.int(0..<300))), "s": random.pick(texts),
            ]
        }
        return documents
    }

    private static let indexes = IndexConfiguration(
        indexes: (["a", "b", "d", "e"] as [FieldPath]).flatMap { path in
            [Direction.ascending, .descending].map { direction in
                IndexDefinition(
                    collectionGroup: "c", scope: .collection,
                    fields: [IndexField(path, .order(.ascending)), IndexField("n", .order(direction))],
                    nameDirection: direction)
            }
        })

    private static func query(_ random: inout SeededGenerator, _ paths: [DocumentPath]) -> Query {
        var filters: [Filter] = [
            .field("a", .equal, .integer(Int64(random.int(0..<2)))),
            .field("b", .equal, .integer(Int64(random.int(0..<4)))),
            .field("d", .equal, .integer(Int64(random.int(0..<21)))),
            .field("e", .equal, .boolean(random.chance(0.8))),
        ]
        filters.shuffle(using: &random)
        filters.removeLast(random.int(0..<3))
        var query = Query.collection("c")
        if random.chance(0.4) {
            query.orders = [Order("n", random.chance(0.5) ? .ascending : .descending)]
            if random.chance(0.3) { filters.append(.field("n", .greaterThan, .integer(Int64(random.int(0..<300))))) }
            if random.chance(0.2) { filters.append(.field("n", .notEqual, .integer(Int64(random.int(0..<300))))) }
        } else {
            if random.chance(0.5) { filters.append(.field("s", .equal, random.pick(texts))) }
            if random.chance(0.5) {
                query.orders = [Order(.documentName, random.chance(0.5) ? .ascending : .descending)]
                if random.chance(0.3) { query.start = cursor(at: random.pick(paths), &random) }
                if random.chance(0.3) { query.end = cursor(at: random.pick(paths), &random) }
            }
        }
        query.filter = .and(filters)
        query.limit = random.chance(0.6) ? random.int(1..<20) : nil
        return query
    }

    private static func cursor(at path: DocumentPath, _ random: inout SeededGenerator) -> Cursor {
        let reference = Reference(database: DatabaseID(project: "hearth"), path: path.resource)
        return Cursor([.reference(reference)], before: random.chance(0.5))
    }
}
