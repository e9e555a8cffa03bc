// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Updates with a mask (W-3).
@Suite struct MergeTests {
    private static let values = ValueGenerator(allowsLong: false)

    private static func path(_ random: inout SeededGenerator) -> FieldPath {
        FieldPath((0..<random.int(1..<5)).map { _ in random.pick(["a", "aa", "b", "c"]) })
    }

    /// Setting one path after another has the same outcome, in every order of the paths.
    @Test func mergingSetsEachPath() throws {
        try check(
            count: Rounds.of(20_000),
            generate: { random in
                let fields = [MergeTests.values.fields(&random, depth: 4), MergeTests.values.fields(&random, depth: 4)]
                return (fields, (0..<random.int(0..<8)).map { _ in MergeTests.path(&random) })
            }
        ) { (fields: [Fields], mask: [FieldPath]) in
            var expected = fields[0]
            for path in mask { expected.set(fields[1][path], at: path) }
            guard Fields.merged(fields[0], fields[1], mask: mask).isIdentical(to: expected) else { return "merge" }
            var selected = Fields.empty
            for path in mask { if let value = fields[1][path] { selected.set(value, at: path) } }
            return fields[1].selecting(mask).isIdentical(to: selected) ? nil : "selection"
        }
    }

    @Test func withoutAMaskAllIsNew() {
        #expect(Fields.merged(["a": 1], ["b": 2], mask: nil).isIdentical(to: ["b": 2]))
        #expect(Fields.merged(["a": 1], ["b": 2], mask: []).isIdentical(to: ["a": 1]))
        #expect(Fields.merged(nil, ["b": 2], mask: ["b", "c"]).isIdentical(to: ["b": 2]))
    }

    /// The work ends with the maps, so that a path of more names than the stack has frames does no harm.
    @Test func longPaths() {
        let path = FieldPath(Array(repeating: "a", count: 200_000))
        let cases: [Fields] = [[:], ["a": 1], ["a": ["a": [:]]]]
        for fields in cases {
            #expect(Fields.merged(fields, ["b": 2], mask: [path]).isIdentical(to: fields))
            #expect(fields.selecting([path]).isEmpty)
        }
    }

    /// Eight times as many paths into one map take about eight times as long. If each path copied the map, they would take 64
    /// times as long.
    @Test(arguments: [true, false]) func theTimeGrowsWithTheNumberOfPaths(_ removes: Bool) {
        let growth = growth(from: 2_000, to: 16_000) { count in
            let names = (0..<count).map { Text("\($0)") }
            let map: Fields = ["map": .map(Fields(sorting: names.map { Field($0, .integer(1)) }))]
            let mask = names.map { FieldPath(["map", $0]) }
            let merged = Fields.merged(removes ? map : nil, removes ? .empty : map, mask: mask)
            #expect(merged.isIdentical(to: removes ? ["map": [:]] : map))
        }
        #expect(growth < 20, "\(growth)")
    }
}
