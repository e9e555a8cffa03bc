// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Hearth

/// Ten million tasks, many collections, many composite indexes, many threads. A whole run leaves it out: it takes most of an hour and
/// fifty gigabytes of disk.
enum ScaleSuite {
    static let summary =
        "ten million tasks, 100,000 collections, 1,000 composite indexes, 16 threads; only if asked for"

    static func run(_ bench: Bench) throws {
        guard bench.rows != nil else { return }
        if wants(bench, ScaleTasks.names) { try ScaleTasks(bench).run() }
        if wants(bench, [ScaleThreads.name]) { try ScaleThreads.run(bench) }
        if wants(bench, [ScaleCatalogs.collections]) { try ScaleCatalogs.runCollections(bench) }
        if wants(bench, [ScaleCatalogs.composites]) { try ScaleCatalogs.runComposites(bench) }
    }

    private static func wants(_ bench: Bench, _ names: [String]) -> Bool {
        names.contains { bench.wants($0, of: "scale") }
    }
}

/// The calls on one large collection, each with its time, memory and progress, then the read rows.
struct ScaleTasks {
    static let names = ["load", "opening", "export", "verify", "backup", "compact", "build", "reads"].map {
        "scale: \($0)"
    }

    private let bench: Bench
    private let folder: URL
    private let tasks: Dataset

    init(_ bench: Bench) throws {
        self.bench = bench
        tasks = Tasks.dataset(bench.size ?? 10_000_000)
        folder = bench.folder.appending(path: "scale")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func run() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        bench.report.title("Scale: \(tasks.count) tasks")
        let hearth = path("hearth.db")
        bench.report.add(
            "scale: load", size: tasks.count,
            try Watch.course { _ in try HearthEngine.loadThroughPipe(tasks, into: hearth) })
        try opening(hearth)
        try calls(hearth)
        if wants("scale: build") { try ScaleBuild(tasks, hearth).run(bench) }
        if wants("scale: reads") { try reads(hearth) }
    }

    private func path(_ file: String) -> String { folder.appending(path: file).path }

    private func wants(_ name: String) -> Bool { bench.wants(name, of: "scale") }

    private func opening(_ hearth: String) throws {
        guard wants("scale: opening") else { return }
        let opening = Contest.Contender(name: "Hearth") { count in
            for index in 0..<count {
                let database = try Database.open(path: hearth)
                _ = try database.document("tasks/\(Tasks.id(index % tasks.count))").sync.getDocument()["priority"]
            }
            return Int64(count)
        }
        bench.report.add(
            try Contest(name: "open, read a document, close", size: tasks.count, contenders: [opening]).measure())
    }

    /// Calls that read the whole file; what they write is removed at once.
    private func calls(_ hearth: String) throws {
        let database = try Database.open(path: hearth)
        let calls:
            [(name: String, call: (_ file: URL, _ progress: @escaping @Sendable (Double) -> Void) throws -> Void)] = [
                ("export", { _ = try database.sync.exportDocuments(to: $0, progress: $1) }),
                (
                    "verify",
                    { _, progress in
                        let result = try database.sync.verify(progress: progress)
                        guard result.problemCount == 0, result.documents == tasks.count else {
                            throw BenchmarkError("verify: \(result)")
                        }
                    }
                ),
                ("backup", { try database.sync.backup(to: $0, progress: $1) }),
                ("compact", { try database.sync.compact(to: $0, progress: $1) }),
            ]
        for (name, call) in calls where wants("scale: \(name)") {
            let file = URL(filePath: path(name))
            defer { try? FileManager.default.removeItem(at: file) }
            bench.report.add("scale: \(name)", size: tasks.count, try Watch.course { try call(file, $0) })
        }
    }

    /// Hearth alone first, for its memory; then beside the others. Raw reads the same file, so that the page cache holds it once.
    private func reads(_ hearth: String) throws {
        let all = TaskReads.all(tasks.count)
        let own = try HearthEngine(tasks, at: hearth)
        bench.report.add(
            "scale: reads", size: tasks.count,
            try Watch.course { _ in
                for (_, operation) in all {
                    guard let run = try own.prepare(operation) else { continue }
                    var answer = Answer()
                    for index in 0..<min(256, operation.parameters.count) { try run(index, &answer) }
                }
            })
        let sqlite = path("tasks.sqlite")
        var rows = tasks
        // Thirty million elements in a table of their own would take longer than everything else.
        rows.arrays = []
        try SQLiteEngine.loadAtOnce(.rows, rows, into: sqlite)
        // The system's cache holds what was written last, and no engine is to pay for that.
        for file in [hearth, sqlite] { try readThrough(file) }
        let raw = RawEngine(tasks, at: hearth, sharesFile: true)
        let others = [try SQLiteEngine(.rows, rows, at: sqlite) as any ReadEngine, raw]
        bench.report.heading("Reads: one form of SQLite; raw reads Hearth's own file")
        for (name, operation) in all {
            let isArray = operation.filters.contains { if case .contains = $0.comparison { true } else { false } }
            let engines: [any ReadEngine] = [own] + (isArray ? [raw] : others)
            bench.report.add(
                try ReadSuite.contest(name, operation, engines, tasks.count).measure(only: bench.engine))
        }
        try growth(all.map(\.name))
    }

    private func readThrough(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? file.close() }
        while let part = try file.read(upToCount: 1 << 24), !part.isEmpty {}
    }

    /// Beside the same rows at a size that lies in the processor's caches in part.
    private func growth(_ names: [String]) throws {
        let first = min(100_000, tasks.count / 10)
        let small = Tasks.dataset(first)
        let stores = try Stores(small, folder, forms: [.rows])
        defer { stores.remove() }
        bench.report.heading("The same rows at \(first)")
        for (name, operation) in TaskReads.all(first) {
            bench.report.add(try ReadSuite.contest(name, operation, stores.engines, first).measure())
        }
        GrowthSuite.report(names, from: first, to: tasks.count, bench)
    }
}
