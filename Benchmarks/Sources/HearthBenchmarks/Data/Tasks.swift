// SPDX-License-Identifier: Apache-2.0

/// Tasks of many users: ten fields, one array, one composite index. About 330 bytes a document.
enum Tasks {
    static let statuses = ["open", "waiting", "done", "dropped"]
    static let tagCount = 100
    static let projectCount = 20

    static func dataset(_ count: Int) -> Dataset {
        Dataset(
            name: "tasks", collection: "tasks", count: count,
            columns: [
                ("created", .integer), ("done", .integer), ("estimate", .real), ("notes", .text),
                ("priority", .integer),
                ("project", .text), ("status", .text), ("tags", .text), ("title", .text), ("userId", .text),
            ],
            indexed: [
                "created", "done", "estimate", "notes", "priority", "project", "status", "title", "userId",
            ],
            arrays: ["tags"], composites: [[("userId", false), ("created", true)]],
            document: { task($0, of: count) })
    }

    static func id(_ index: Int) -> String {
        var random = SplitMix(UInt64(index) &* 2 &+ 1)
        return random.id()
    }

    /// A hundred tasks each, whatever the size, so that a user's tasks are a result of fixed size.
    static func user(_ index: Int, of count: Int) -> String { "user-\(index % max(count / 100, 1))" }

    /// A different time for each task, in no order of their IDs.
    static func created(_ index: Int) -> Int64 { 1_700_000_000_000_000 + Int64(index) * 7_000_003 }

    static func tag(_ index: Int) -> String { "tag-\(index % tagCount)" }
    static func project(_ index: Int) -> String { "project-\(index % projectCount)" }

    private static func task(_ index: Int, of count: Int) -> BenchmarkDocument {
        var random = SplitMix(UInt64(index) &* 2)
        let first = random.next(below: tagCount)
        let tags = [first, first + 1 + random.next(below: 40), first + 50 + random.next(below: 40)].map {
            Plain.string(tag($0))
        }
        return BenchmarkDocument(
            id: id(index),
            fields: [
                ("created", .time(created(index))),
                ("done", .boolean(random.next(below: 3) == 0)),
                ("estimate", .double(Double(random.next(below: 1_000)) / 4)),
                ("notes", .string(words(12, &random))),
                ("priority", .integer(Int64(random.next(below: 10)))),
                ("project", .string(project(random.next(below: projectCount)))),
                ("status", .string(statuses[random.next(below: 4)])),
                ("tags", .array(tags)),
                ("title", .string(words(5, &random))),
                ("userId", .string(user(random.next(below: count), of: count))),
            ])
    }

    private static let vocabulary = [
        "call", "write", "review", "plan", "order", "repair", "garden", "report", "invoice", "meeting", "kitchen",
        "draft",
        "budget", "ticket", "window", "paper", "school", "summer", "letter", "bridge", "coffee", "engine", "market",
        "number",
    ]

    static func words(_ count: Int, _ random: inout SplitMix) -> String {
        (0..<count).map { _ in vocabulary[random.next(below: vocabulary.count)] }.joined(separator: " ")
    }
}
