// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// NoBench's queries in the forms that Firestore has for them; SQLite holds JSON, for a table has no thousand columns.
enum NoBenchSuite {
    static func run(_ bench: Bench) throws {
        let wanted = (1...12).map { "NoBench Q\($0)" }.filter { bench.wants($0, of: "nobench") }
        guard !wanted.isEmpty else { return }
        bench.report.heading(
            "NoBench-shaped documents of 19 fields (SQLite: JSON, the sparse fields that queries name)")
        for size in bench.size.map({ [$0] }) ?? [100_000, 1_000_000] { try run(bench, wanted, size: size) }
    }

    private static func run(_ bench: Bench, _ wanted: [String], size: Int) throws {
        guard NoBench.text(4_507) == "GBRDCMBQGAYTCMBQGEYTAMJR", NoBench.text(9) == "GBRDCMBQGE======" else {
            throw BenchmarkError("the generator's text is not NoBench's")
        }
        let dataset = NoBench.dataset(size)
        let folder = bench.folder
        let (hearthPath, sqlitePath) = (
            folder.appending(path: "no-\(size).db").path, folder.appending(path: "no-\(size).sqlite").path
        )
        try HearthEngine.load(dataset, into: hearthPath)
        try SQLiteEngine.load(.json, dataset, into: sqlitePath)
        let queries = NoBenchQueries(
            hearth: try Database.open(path: hearthPath).collection("nobench"),
            sqlite: try SQLiteEngine(.json, dataset, at: sqlitePath), size: size, rareWord: NoBench.rareWord(size))
        for (name, hearth, sqlite) in try queries.all() where wanted.contains(name.prefix { $0 != ":" }.description) {
            let contest = Contest(
                name: name, size: size,
                contenders: [contender("Hearth", hearth), contender("SQLite JSON", sqlite)])
            bench.report.add(try contest.measure(only: bench.engine))
        }
    }

    private static func contender(_ name: String, _ body: @escaping (Int) throws -> Int64) -> Contest.Contender {
        var next = 0
        return Contest.Contender(name: name) { repetitions in
            var digest: Int64 = 0
            for _ in 0..<repetitions {
                digest &+= try body(next)
                next += 1
            }
            return digest
        }
    }
}

/// Each query twice: with the public interface of Hearth and as SQL. What they return must be equal: sums of what was found.
struct NoBenchQueries {
    typealias Body = (Int) throws -> Int64

    let hearth: CollectionReference
    let sqlite: SQLiteEngine
    let size: Int
    let rareWord: String

    /// Parameters fall all over the numbers, the same for both engines.
    private func seed(_ run: Int) -> Int {
        var random = SplitMix(UInt64(run))
        return random.next(below: size)
    }

    func all() throws -> [(name: String, hearth: Body, sqlite: Body)] {
        let thousandth = size / 1_000
        return [
            (
                "NoBench Q1: project str1, num", { _ in try scan("num", "str1") },
                try sql("SELECT sum(\(path("num"))), count(\(path("str1"))) FROM documents") { _ in [] }
            ),
            (
                "NoBench Q2: project nested_obj", { _ in try scan("nested_obj.num", "nested_obj.str") },
                try sql("SELECT sum(\(path("nested_obj.num"))), count(\(path("nested_obj.str"))) FROM documents") { _ in
                    []
                }
            ),
            (
                "NoBench Q3: sparse cluster", { _ in try exists("sparse_110") },
                try rows("\(path("sparse_110")) IS NOT NULL") { _ in [] }
            ),
            (
                "NoBench Q4: two clusters", { _ in try exists("sparse_110") + exists("sparse_220") },
                try rows("\(path("sparse_110")) IS NOT NULL OR \(path("sparse_220")) IS NOT NULL") { _ in [] }
            ),
            (
                "NoBench Q5: str1 = x", { try sum(hearth.whereField("str1", isEqualTo: NoBench.text(seed($0)))) },
                try rows("\(path("str1")) = ?1") { [.string(NoBench.text(seed($0)))] }
            ),
            (
                "NoBench Q6: num in a range", { try sum(range("num", seed($0), thousandth)) },
                try between("num", thousandth)
            ),
            (
                "NoBench Q7: dyn1 in a range", { try sum(range("dyn1", seed($0), thousandth)) },
                try between("dyn1", thousandth)
            ),
            (
                "NoBench Q8: word in nested_arr",
                { _ in try sum(hearth.whereField("nested_arr", arrayContains: rareWord)) },
                try sql(
                    "SELECT sum(\(path("num"))), count(*) FROM nested_arrElements AS e JOIN documents AS d ON d.id = e.id WHERE e.value = ?1"
                ) { _ in [.string(rareWord)] }
            ),
            (
                "NoBench Q9: sparse = y",
                { try sum(hearth.whereField("sparse_550", isEqualTo: NoBench.text($0 % 11))) },
                try rows("\(path("sparse_550")) = ?1") { [.string(NoBench.text($0 % 11))] }
            ),
            (
                "NoBench Q10: count of a tenth",
                { try range("num", seed($0), size / 10).count.sync.getAggregation().count.int64Value },
                try sql("SELECT 0, count(*) FROM documents WHERE \(path("num")) >= ?1 AND \(path("num")) < ?2") {
                    [.integer(Int64(seed($0))), .integer(Int64(seed($0) + size / 10))]
                }
            ),
            ("NoBench Q11: join by look-ups", { try join(seed($0), thousandth) }, try joinInSQL(thousandth)),
            ("NoBench Q12: insert a thousandth", { _ in try insert() }, try insertInSQL()),
        ]
    }

    // MARK: Hearth

    private func range(_ field: String, _ start: Int, _ count: Int) -> Query {
        hearth.whereField(field, isGreaterThanOrEqualTo: start).whereField(field, isLessThan: start + count)
    }

    private func exists(_ field: String) throws -> Int64 { try sum(hearth.whereField(field, isNotEqualTo: NSNull())) }

    private func sum(_ query: Query) throws -> Int64 {
        try query.sync.getDocuments().documents.reduce(0) { try $0 + 1 + Int64($1.get("num", as: Int.self) ?? 0) }
    }

    private func scan(_ number: String, _ text: String) throws -> Int64 {
        var total: Int64 = 0
        var page: Query = hearth.limit(to: 1_000)
        while true {
            let documents = try page.sync.getDocuments().documents
            for document in documents {
                total += Int64(try document.get(number, as: Int.self) ?? 0)
                total += try document.get(text, as: String.self) == nil ? 0 : 1
            }
            guard let last = documents.last, documents.count == 1_000 else { return total }
            page = hearth.limit(to: 1_000).start(afterDocument: last)
        }
    }

    /// Looks up thirty texts at a time, as many as `in` takes.
    private func join(_ start: Int, _ count: Int) throws -> Int64 {
        let texts = try range("num", start, count).sync.getDocuments().documents.compactMap {
            try $0.get("nested_obj.str", as: String.self)
        }
        return try stride(from: 0, to: texts.count, by: 30).reduce(0) { total, first in
            try total + sum(hearth.whereField("str1", in: Array(texts[first..<min(first + 30, texts.count)])))
        }
    }

    private func insert() throws -> Int64 {
        for start in stride(from: size, to: size + size / 1_000, by: 500) {
            let batch = hearth.firestore.batch()
            for seed in start..<min(start + 500, size + size / 1_000) {
                let document = NoBench.document(seed, of: size)
                let data = Dictionary(uniqueKeysWithValues: document.fields.map { ($0.name, $0.value.firestore) })
                batch.setData(data, forDocument: hearth.document("extra-\(document.id)"))
            }
            try batch.sync.commit()
        }
        return 0
    }

    // MARK: SQLite

    private func path(_ field: String) -> String { sqlite.expression(field) }

    /// A statement of a sum and a count.
    private func sql(_ text: String, _ parameters: @escaping (Int) -> [Plain]) throws -> Body {
        let statement = try sqlite.database.statement(text)
        return { run in
            for (place, value) in parameters(run).enumerated() { statement.bind(Int32(place + 1), value) }
            var total: Int64 = 0
            try statement.forEachRow { total += $0.integer(0) + $0.integer(1) }
            return total
        }
    }

    /// A statement that delivers documents.
    private func rows(_ condition: String, _ parameters: @escaping (Int) -> [Plain]) throws -> Body {
        let statement = try sqlite.database.statement(
            "SELECT document, \(path("num")) FROM documents WHERE \(condition)")
        let row = SQLiteRow()
        return { run in
            for (place, value) in parameters(run).enumerated() { statement.bind(Int32(place + 1), value) }
            var total: Int64 = 0
            try statement.forEachRow {
                row.copy($0, columns: 2)
                total += 1 + $0.integer(1)
            }
            return total
        }
    }

    private func between(_ field: String, _ count: Int) throws -> Body {
        try rows("\(path(field)) >= ?1 AND \(path(field)) < ?2") {
            [.integer(Int64(seed($0))), .integer(Int64(seed($0) + count))]
        }
    }

    private func joinInSQL(_ count: Int) throws -> Body {
        func of(_ table: String, _ field: String) -> String { "json_extract(\(table).document, '$.\(field)')" }
        return try sql(
            "SELECT sum(\(of("b", "num"))), count(*) FROM documents AS a JOIN documents AS b ON \(of("b", "str1")) = \(of("a", "nested_obj.str")) "
                + "WHERE \(of("a", "num")) >= ?1 AND \(of("a", "num")) < ?2"
        ) { [.integer(Int64(seed($0))), .integer(Int64(seed($0) + count))] }
    }

    private func insertInSQL() throws -> Body {
        let statement = try sqlite.database.statement("INSERT OR REPLACE INTO documents VALUES (?1, ?2)")
        let elements = try sqlite.database.statement("INSERT OR IGNORE INTO nested_arrElements VALUES (?1, ?2)")
        return { _ in
            try sqlite.database.execute("BEGIN IMMEDIATE")
            for seed in size..<size + size / 1_000 {
                let document = NoBench.document(seed, of: size)
                let extra = BenchmarkDocument(id: "extra-\(document.id)", fields: document.fields)
                try sqlite.insert(extra, statement, [(name: "nested_arr", statement: elements)])
            }
            try sqlite.database.execute("COMMIT")
            return 0
        }
    }
}
