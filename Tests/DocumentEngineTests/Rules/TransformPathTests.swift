// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import TestSupport
import Testing

/// Of two transforms of a write, none may lie inside the other (W-16).
@Suite struct TransformPathTests {
    private static func refusal(_ paths: [FieldPath]) -> String? {
        let transforms = paths.map { FieldTransform($0, .increment(1)) }
        do throws(EngineError) {
            try Write("c/d", .update([:], mask: [], transforms: transforms)).validate(in: DatabaseID(project: "p"))
            return nil
        } catch {
            return error.message
        }
    }

    /// As if each path were compared with each.
    @Test func nestedPaths() throws {
        try check(
            count: Rounds.of(2_000),
            generate: { random in
                (0..<random.int(1..<6)).map { _ in
                    FieldPath((0..<random.int(1..<5)).map { _ in random.pick(["a", "aa", "b"]) })
                }
            },
            shrink: Shrinker.array
        ) { (paths: [FieldPath]) in
            let outer = paths.first { path in paths.contains { $0 != path && path.isPrefix(of: $0) } }
            let expected = outer.map {
                "Cannot transform property \($0.segments[0]) and its nested property at the same time."
            }
            let found = Self.refusal(paths)
            return found == expected ? nil : found ?? "no refusal"
        }
    }

    /// Eight times as many names take about eight times as long. If each beginning of a path were kept, they would take 64 times as long,
    /// and gigabytes.
    @Test func theTimeGrowsWithTheNumberOfNames() {
        let growth = growth(from: 90, to: 720) { count in
            _ = Self.refusal(
                (0..<50).map { FieldPath([Text("f\($0)")] + Array(repeating: "a", count: count)) })
        }
        #expect(growth < 20, "\(growth)")
    }
}
