// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import Hearth

/// A task as a program has it: scalars only, for GRDB keeps an array as JSON text and parses that with Foundation.
private struct Task: Codable {
    var created: Hearth.Timestamp
    var done: Bool
    var estimate: Double
    var notes: String
    var priority: Int
    var project: String
    var status: String
    var title: String
    var userId: String
}

private struct TaskRow: Codable, FetchableRecord {
    var created: Int64
    var done: Bool
    var estimate: Double
    var notes: String
    var priority: Int
    var project: String
    var status: String
    var title: String
    var userId: String
}

private struct TaggedTask: Codable {
    var priority: Int
    var tags: [String]
}

private struct TaggedRow: Codable, FetchableRecord {
    var priority: Int
    var tags: [String]
}

/// Fetches a thousand documents and makes a struct of each, beside GRDB over SQLite's typed columns; and decoding alone, beside
/// the way through a dictionary.
enum DecodeSuite {
    private static let count = 1_000

    static func run(_ bench: Bench) throws {
        let names = ["decode to a Codable struct", "decode, with an array", "decode, beside a dictionary"]
        let wanted = names.filter { bench.wants($0, of: "decode") }
        guard !wanted.isEmpty else { return }
        bench.report.heading("Codable: a document fetched and decoded, of 1,000")
        let size = bench.size ?? 100_000
        let stores = try Stores(Tasks.dataset(size), bench.folder, forms: [.columns])
        defer { stores.remove() }
        guard let hearth = stores.engines[0] as? HearthEngine else { return }
        let query = hearth.database.collection("tasks").limit(to: count)
        let queue = try DatabaseQueue(path: stores.path("columns.sqlite"))
        var contests: [Contest] = []
        contests.append(
            Contest(
                name: names[0], size: size,
                contenders: [
                    contender("Hearth") {
                        try query.sync.getDocuments().documents.reduce(0) {
                            $0 + Int64(try $1.data(as: Task.self).priority)
                        }
                    },
                    contender("GRDB") { try sum(TaskRow.self, queue) { Int64($0.priority) } },
                ]))
        contests.append(
            Contest(
                name: names[1], size: size,
                contenders: [
                    contender("Hearth") {
                        try query.sync.getDocuments().documents.reduce(0) {
                            let task = try $1.data(as: TaggedTask.self)
                            return $0 + Int64(task.priority + task.tags.count)
                        }
                    },
                    contender("GRDB") { try sum(TaggedRow.self, queue) { Int64($0.priority + $0.tags.count) } },
                ]))
        contests.append(try decodingAlone(names[2], size, try query.sync.getDocuments().documents))
        for contest in contests where wanted.contains(contest.name) {
            var contest = contest
            contest.unitsPerRepetition = min(count, size)
            bench.report.add(try contest.measure())
        }
    }

    private static func decodingAlone(
        _ name: String, _ size: Int, _ documents: [QueryDocumentSnapshot]
    ) throws -> Contest {
        let decoder = Database.Decoder()
        return Contest(
            name: name, size: size,
            contenders: [
                contender("Hearth") {
                    try documents.reduce(0) { $0 + Int64(try $1.data(as: Task.self).priority) }
                },
                contender("through a dictionary") {
                    try documents.reduce(0) { $0 + Int64(try decoder.decode(Task.self, from: $1.data()).priority) }
                },
            ])
    }

    private static func contender(_ name: String, _ body: @escaping () throws -> Int64) -> Contest.Contender {
        Contest.Contender(name: name) { repetitions in
            var sum: Int64 = 0
            for _ in 0..<repetitions { sum &+= try body() }
            return sum
        }
    }

    private static func sum<T: FetchableRecord>(
        _ type: T.Type, _ queue: DatabaseQueue, _ value: (T) -> Int64
    ) throws -> Int64 {
        try queue.read { database in
            try T.fetchAll(database, sql: "SELECT * FROM documents ORDER BY id LIMIT \(count)").reduce(0) {
                $0 + value($1)
            }
        }
    }
}
