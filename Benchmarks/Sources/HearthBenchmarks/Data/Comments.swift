// SPDX-License-Identifier: Apache-2.0

/// Comments under a hundred documents, queried as one collection group.
enum Comments {
    static let labelCount = 200

    static func dataset(_ count: Int) -> Dataset {
        Dataset(
            name: "comments", collection: "comments", isGroup: true, count: count,
            columns: [
                ("author", .text), ("created", .integer), ("labels", .text), ("score", .integer), ("text", .text),
            ],
            indexed: ["author", "created", "score", "text"], arrays: ["labels"],
            composites: [[("author", false), ("created", true)]], document: { comment($0, of: count) })
    }

    static func author(_ index: Int, of count: Int) -> String { "author-\(index % max(count / 100, 1))" }

    private static func comment(_ index: Int, of count: Int) -> BenchmarkDocument {
        var random = SplitMix(UInt64(index) &+ 7_777)
        let first = random.next(below: labelCount)
        return BenchmarkDocument(
            parent: "posts/post-\(index % 100)", id: random.id(),
            fields: [
                ("author", .string(author(random.next(below: count), of: count))),
                ("created", .time(Tasks.created(index))),
                ("labels", .array([first, first + 50, first + 120].map { .string("label-\($0 % labelCount)") })),
                ("score", .integer(Int64(random.next(below: 100)))),
                ("text", .string(Tasks.words(12, &random))),
            ])
    }

    static func reads(_ size: Int) -> [(name: String, operation: Operation)] {
        var random = SplitMix(43)
        let authors = (0..<4_096).map { _ in [Plain.string(author(random.next(below: size), of: size))] }
        let labels = (0..<200).map { [Plain.string("label-\($0)")] }
        return [
            (
                "group: equality, order, limit 10",
                Operation(
                    filters: [("author", .equal)], order: [("created", true)], limit: 10, uses: "score",
                    parameters: authors)
            ),
            (
                "group: array-contains count",
                Operation(kind: .count, filters: [("labels", .contains)], parameters: labels)
            ),
        ]
    }
}
