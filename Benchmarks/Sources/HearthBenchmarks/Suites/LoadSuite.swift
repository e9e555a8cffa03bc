// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Loads a million tasks from text, then builds one composite index over them. Files are made beforehand; everything is durable
/// and closed, or checkpointed, at the end of each time.
enum LoadSuite {
    static let loading = "bulk load, parsing included"
    static let building = "build one composite index"

    static func run(_ bench: Bench) throws {
        guard bench.wants(loading, of: "load") || bench.wants(building, of: "load") else { return }
        let tasks = Tasks.dataset(bench.size ?? 1_000_000)
        let folder = bench.folder.appending(path: "load")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tasks.ndjson")
        try HearthEngine.write(tasks, to: file)
        let texts = (0..<tasks.count).map { number in
            let document = tasks.document(number)
            var json: [UInt8] = []
            Plain.map(document.fields).appendJSON(to: &json)
            return (id: document.id, json: json)
        }
        bench.report.heading("Loading \(tasks.count) tasks")
        let hearth = folder.appending(path: "hearth.db").path
        let sqlite = folder.appending(path: "sqlite.db").path
        let other = folder.appending(path: "sqlite-late.db").path
        var times = [
            ("Hearth", try seconds { try load(tasks, file, into: hearth) }),
            ("SQLite JSON, indexes last", try seconds { try load(tasks, texts, indexesFirst: false, into: sqlite) }),
        ]
        // It falls further behind with every document.
        if tasks.count <= 300_000 {
            times.append(
                ("SQLite JSON", try seconds { try load(tasks, texts, indexesFirst: true, into: other) }))
        }
        bench.report.add(measurement(loading, tasks.count, times))
        bench.report.add(
            measurement(
                building, tasks.count,
                [
                    ("Hearth", try seconds { try build(tasks, hearth) }),
                    ("SQLite JSON", try seconds { try buildSQLite(tasks, sqlite) }),
                ]))
    }

    private static func seconds(_ body: () throws -> Void) throws -> Double {
        try ContinuousClock().measure(body) / .seconds(1)
    }

    private static func measurement(_ name: String, _ size: Int, _ times: [(String, Double)]) -> Measurement {
        Measurement(
            name: name, size: size, results: times.map { Measurement.Result(engine: $0, nanoseconds: [$1 * 1e9]) })
    }

    private static func load(_ tasks: Dataset, _ file: URL, into path: String) throws {
        let database = try Database.open(path: path)
        try database.sync.setIndexConfiguration(tasks.indexConfiguration)
        let summary = try database.sync.importDocuments(from: file)
        guard summary.imported == tasks.count else {
            throw BenchmarkError("Hearth imported \(summary.imported) documents: \(summary.rejections)")
        }
    }

    private static func load(
        _ tasks: Dataset, _ texts: [(id: String, json: [UInt8])], indexesFirst: Bool, into path: String
    ) throws {
        let engine = try SQLiteEngine(.json, tasks, at: path)
        try engine.create()
        if indexesFirst { try engine.index() }
        let insert = try engine.database.statement("INSERT INTO documents VALUES (?1, ?2)")
        let spread = try tasks.arrays.map { array in
            try engine.database.statement(
                "INSERT OR IGNORE INTO \"\(array)Elements\" SELECT value, ?1 FROM json_each(?2, '$.\(array)')")
        }
        try engine.database.execute("BEGIN IMMEDIATE")
        for (id, json) in texts {
            for statement in [insert] + spread {
                statement.bind(1, id)
                statement.bind(2, text: json)
                try statement.runOnce()
            }
        }
        try engine.database.execute("COMMIT")
        if !indexesFirst { try engine.index() }
        try engine.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private static let index = [(field: "status", descending: false), (field: "priority", descending: true)]

    private static func build(_ tasks: Dataset, _ path: String) throws {
        var wanted = tasks
        wanted.composites.append(index)
        try Database.open(path: path).sync.setIndexConfiguration(wanted.indexConfiguration)
    }

    private static func buildSQLite(_ tasks: Dataset, _ path: String) throws {
        let engine = try SQLiteEngine(.json, tasks, at: path)
        let parts = index.map { engine.expression($0.field) + ($0.descending ? " DESC" : "") }
        try engine.database.execute("CREATE INDEX added ON documents(\(parts.joined(separator: ", ")), id DESC)")
        try engine.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
