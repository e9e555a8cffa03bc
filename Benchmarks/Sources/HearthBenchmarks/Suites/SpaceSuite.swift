// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Memory while a large collection is read page by page, and what a document takes on disk.
enum SpaceSuite {
    static func run(_ bench: Bench) throws {
        try memory(bench)
        try disk(bench)
    }

    private static func memory(_ bench: Bench) throws {
        guard bench.wants("memory while scanning", of: "space") else { return }
        let size = bench.size ?? 1_000_000
        let path = bench.folder.appending(path: "memory.db").path
        try HearthEngine.load(Tasks.dataset(size), into: path)
        let process = Process()
        process.executableURL = URL(filePath: ProcessInfo.processInfo.arguments[0])
        process.arguments = ["--scan", path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let numbers = output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard process.terminationStatus == 0, numbers.count == 3, numbers[0] == size else {
            throw BenchmarkError("the scan of \(size) documents ended with \(output)")
        }
        let (before, peak) = (numbers[1], numbers[2])
        bench.report.add(
            Report.Figure(
                name: "memory while scanning", size: size, value: Double(peak - before) / 1024,
                unit: "MB more than before the scan, \(peak / 1024) MB in all, without the mapped file", atMost: 32))
    }

    /// Reads all tasks page by page and prints how many there are, and the kilobytes in memory before and at most. In a process of
    /// its own, for whatever else a process did has memory that the scan could take again.
    static func scan(_ path: String) throws {
        let database = try Database.open(path: path)
        let tasks = database.collection("tasks").limit(to: 1_000)
        let before = Machine.anonymousMemory
        var peak = before
        var count = 0
        var page = tasks
        while true {
            let documents = try page.sync.getDocuments().documents
            count += documents.reduce(0) { $0 + ($1.get("priority") == nil ? 0 : 1) }
            peak = max(peak, Machine.anonymousMemory)
            guard let last = documents.last, documents.count == 1_000 else { break }
            page = tasks.start(afterDocument: last)
        }
        print(count, before, peak)
    }

    private static func disk(_ bench: Bench) throws {
        let size = bench.size ?? 100_000
        let dataset = Tasks.dataset(size)
        if bench.wants("bytes a document, bulk load", of: "space") {
            let hearth = bench.folder.appending(path: "bulk.db").path
            try HearthEngine.load(dataset, into: hearth)
            let sqlite = bench.folder.appending(path: "bulk.sqlite").path
            try SQLiteEngine.load(.json, dataset, into: sqlite)
            try report(bench, "bytes a document, bulk load", size, hearth, sqlite, atMost: 1.3)
        }
        if bench.wants("bytes a document, written in turn", of: "space") {
            let hearth = bench.folder.appending(path: "turn.db").path
            try writeInTurn(dataset, into: hearth)
            let sqlite = bench.folder.appending(path: "turn.sqlite").path
            try SQLiteEngine.loadInTurn(.json, dataset, into: sqlite)
            try report(bench, "bytes a document, written in turn", size, hearth, sqlite, atMost: 2.5)
        }
    }

    /// Batches of 500 with all indexes in place, documents in no order.
    private static func writeInTurn(_ dataset: Dataset, into path: String) throws {
        let settings = FirestoreSettings()
        settings.durability = .mayLoseDatabase
        let database = try Database.open(path: path, settings: settings)
        try database.sync.setIndexConfiguration(dataset.indexConfiguration)
        for start in stride(from: 0, to: dataset.count, by: 500) {
            let batch = database.batch()
            for index in start..<min(start + 500, dataset.count) {
                let document = dataset.document(index)
                let data = Dictionary(uniqueKeysWithValues: document.fields.map { ($0.name, $0.value.firestore) })
                batch.setData(data, forDocument: database.document("\(dataset.collection)/\(document.id)"))
            }
            try batch.sync.commit()
        }
    }

    private static func report(
        _ bench: Bench, _ name: String, _ size: Int, _ hearth: String, _ sqlite: String, atMost: Double
    ) throws {
        func bytes(_ path: String) throws -> Double {
            Double(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) / Double(size)
        }
        let (own, rival) = (try bytes(hearth), try bytes(sqlite))
        bench.report.add(
            Report.Figure(
                name: name, size: size, value: own / rival,
                unit: "times SQLite JSON with as many indexes (\(Int(own)) and \(Int(rival)) bytes)", atMost: atMost))
        for path in [hearth, sqlite] { try? FileManager.default.removeItem(atPath: path) }
    }
}
