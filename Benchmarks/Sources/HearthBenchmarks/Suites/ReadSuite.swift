// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Every read shape on the tasks: each engine answers the same operations with the same parameters.
enum ReadSuite {
    static func run(_ bench: Bench) throws {
        try run(bench, of: "reads", size: bench.size ?? 100_000)
    }

    static func run(_ bench: Bench, of suite: String, size: Int) throws {
        try run(bench, of: suite, "Reads: tasks of ten fields", Tasks.dataset(size), TaskReads.all(size))
    }

    static func run(
        _ bench: Bench, of suite: String, _ heading: String, _ dataset: @autoclosure () throws -> Dataset,
        _ all: [(name: String, operation: Operation)]
    ) throws {
        let reads = all.filter { bench.wants($0.name, of: suite) }
        guard !reads.isEmpty else { return }
        bench.report.heading(heading)
        let dataset = try dataset()
        let stores = try Stores(dataset, bench.folder)
        defer { stores.remove() }
        for (name, operation) in reads {
            bench.report.add(try contest(name, operation, stores.engines, dataset.count).measure(only: bench.engine))
        }
    }

    /// Compares whole answers, then makes the contest.
    static func contest(_ name: String, _ operation: Operation, _ engines: [any ReadEngine], _ size: Int) throws
        -> Contest
    {
        var contenders: [Contest.Contender] = []
        var expected: [Answer] = []
        let count = operation.parameters.count
        for engine in engines {
            guard let run = try engine.prepare(operation) else { continue }
            var answers: [Answer] = []
            for index in 0..<min(count, 64) {
                var answer = Answer(keepsIDs: true)
                try run(index, &answer)
                answers.append(answer)
            }
            if expected.isEmpty { expected = answers }
            if let index = answers.indices.first(where: { answers[$0] != expected[$0] }) {
                throw BenchmarkError(
                    "\(name): for \(operation.parameters[index]) \(engine.name) answers \(answers[index]), "
                        + "\(engines[0].name) \(expected[index])")
            }
            var next = 0
            contenders.append(
                Contest.Contender(name: engine.name) { repetitions in
                    var answer = Answer()
                    for _ in 0..<repetitions {
                        try run(next, &answer)
                        next = next + 1 == count ? 0 : next + 1
                    }
                    return answer.count &+ answer.sum
                })
        }
        guard expected.contains(where: { $0.count > 0 || $0.sum > 0 }) else {
            throw BenchmarkError("\(name): nothing is found, so nothing is measured")
        }
        return Contest(name: name, size: size, contenders: contenders, warmUp: count)
    }
}

/// One dataset in every engine.
final class Stores {
    private(set) var engines: [any ReadEngine] = []
    private let folder: URL

    init(_ dataset: Dataset, _ parent: URL, forms: [SQLiteEngine.Form] = SQLiteEngine.Form.allCases) throws {
        folder = parent.appending(path: "\(dataset.name)-\(dataset.count)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let hearth = path("hearth.db")
        try HearthEngine.load(dataset, into: hearth)
        // The same file may not be opened twice in a process: LMDB's locks belong to the process.
        try FileManager.default.copyItem(atPath: hearth, toPath: path("raw.db"))
        engines.append(try HearthEngine(dataset, at: hearth))
        for form in forms {
            try SQLiteEngine.load(form, dataset, into: path("\(form).sqlite"))
            engines.append(try SQLiteEngine(form, dataset, at: path("\(form).sqlite")))
        }
        engines.append(RawEngine(dataset, at: path("raw.db")))
    }

    /// Bytes of an engine's files.
    func bytes(_ file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path(file))[.size] as? Int ?? 0
    }

    func path(_ file: String) -> String { folder.appending(path: file).path }

    func remove() {
        engines = []
        try? FileManager.default.removeItem(at: folder)
    }
}
