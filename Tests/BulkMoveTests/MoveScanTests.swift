// SPDX-License-Identifier: Apache-2.0

import BulkMove
import DocumentModel
import IndexCatalog
import TestSupport
import Testing

@Suite struct MoveScanTests {
    private let database = DatabaseID(project: "hearth")
    private let target = DatabaseID(project: "shop")

    private func plan(
        _ ids: [String], indexes: IndexConfiguration = IndexConfiguration(),
        _ document: (Int) -> (fields: [Field], created: Int64)
    ) -> MovePlan {
        var scan = MoveScan(database, IndexCatalog(indexes))
        let order = ids.indices.sorted { Text(ids[$0]) < Text(ids[$1]) }
        for index in order {
            let (fields, created) = document(index)
            let time = Timestamp(microseconds: created)!
            scan.note(
                Document(
                    path: CollectionPath(ResourcePath(segments: ["c"])).document(Text(ids[index])),
                    fields: Fields(fields)!, createTime: time, updateTime: time), target: target)
        }
        return scan.plan()
    }

    private func spread(_ count: Int) -> [String] {
        var random = SeededGenerator(seed: 7)
        return (0..<count).map { _ in String(UInt64.random(in: 0 ... .max, using: &random), radix: 36) }
    }

    /// Names and values that have nothing to do with the time of creation make no range hot.
    @Test func spreadDocuments() {
        let plan = plan(spread(500)) { index in
            ([Field("n", .integer(Int64(index * 7_919 % 500)))], Int64(index) * 1_000)
        }
        #expect(plan.hotRanges.isEmpty)
        #expect(plan.documents == 500 && plan.writes == 500)
        #expect(plan.groups.map(\.id) == ["c"])
    }

    @Test func namesInTheOrderOfCreation() {
        let plan = plan((0..<300).map { "2026-01-\(100_000 + $0 * 37)x" }) { ([], Int64($0) * 1_000) }
        #expect(plan.hotRanges == [HotRange(group: "c", kind: .names, evidence: .creation, documents: 300)])
    }

    /// Loaded at one time, so that only the names themselves tell.
    @Test func counters() {
        let counted = plan((0..<20_000).map { "order-\($0)" }) { _ in ([], 5) }
        #expect(counted.hotRanges == [HotRange(group: "c", kind: .names, evidence: .values, documents: 20_000)])
        // Numbers that are spread are no counter's.
        var random = SeededGenerator(seed: 9)
        let drawn = Set((0..<1_000).map { _ in "order-\(Int64.random(in: 0 ... .max, using: &random))" })
        #expect(plan(Array(drawn)) { _ in ([], 5) }.hotRanges.isEmpty)
    }

    @Test func fieldsThatGrow() throws {
        func fields(_ index: Int) -> [Field] {
            [
                Field("at", .timestamp(Timestamp(microseconds: Int64(index) * 60_000_000)!)),
                Field("number", .integer(Int64(index))), Field("falls", .integer(Int64(-index))),
                Field("same", .integer(1)), Field("exempt", .integer(Int64(index))),
            ]
        }
        let exempt = IndexConfiguration(fieldOverrides: [
            FieldOverride(collectionGroup: "c", path: FieldPath(name: "exempt"), indexes: [])
        ])
        let names = spread(10_000)
        let created = plan(names, indexes: exempt) { (fields($0), Int64($0) * 1_000) }
        #expect(
            created.hotRanges
                == ["at", "falls", "number"].map {
                    HotRange(group: "c", kind: .field($0), evidence: .creation, documents: 10_000)
                })
        // A counter of documents that were loaded together may be anything; times that all differ are a clock's.
        let loaded = plan(names, indexes: exempt) { (fields($0), 5) }
        #expect(loaded.hotRanges == [HotRange(group: "c", kind: .field("at"), evidence: .values, documents: 10_000)])
        // A composite index holds the exempt field again.
        var composite = exempt
        composite.indexes = [
            IndexDefinition(
                collectionGroup: "c", scope: .collection,
                fields: [
                    IndexField(FieldPath(name: "same"), .order(.ascending)),
                    IndexField(FieldPath(name: "exempt"), .order(.ascending)),
                ], nameDirection: .ascending)
        ]
        let indexed = plan(names, indexes: composite) { (fields($0), Int64($0) * 1_000) }
        #expect(indexed.hotRanges.contains { $0.kind == .field("exempt") })
    }

    @Test func referencesAndLimits() {
        let elsewhere = Reference(database: DatabaseID(project: "other"), path: ResourcePath(segments: ["c", "a"]))
        let own = Reference(database: database, path: ResourcePath(segments: ["c", "a"]))
        let plan = plan(["a", "b", "d"]) { index in
            switch index {
            case 0: ([Field("r", .array([.reference(elsewhere)]))], 1)
            case 1: ([Field("r", .reference(own))], 1)
            default: ([Field("s", .string(Text(String(repeating: "x", count: 1_100_000))))], 1)
            }
        }
        #expect(plan.documentsWithForeignReferences == 1)
        #expect(plan.refusedCount == 1 && plan.writes == 2)
        #expect(plan.refused.first?.path.id == "d")
    }
}
