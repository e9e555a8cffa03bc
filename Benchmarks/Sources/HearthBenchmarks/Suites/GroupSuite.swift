// SPDX-License-Identifier: Apache-2.0

/// Reads of a collection group.
enum GroupSuite {
    static func run(_ bench: Bench) throws {
        let size = bench.size ?? 100_000
        try ReadSuite.run(
            bench, of: "group", "A collection group: comments under 100 documents", Comments.dataset(size),
            Comments.reads(size))
    }
}
