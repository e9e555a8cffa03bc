// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// What the history of documents costs a commit, and what reads at past times, validated commits and clearing cost.
func runHistoryBenchmark() throws {
    for keepsHistory in [false, true] {
        let path = ".history-\(processID)-\(keepsHistory).db"
        defer { removeDatabase(path) }
        var options = Engine.Options()
        options.durability = .mayLoseDatabase
        options.history = keepsHistory ? HistoryLimits() : nil
        let engine = try Engine.open(path, options)
        func say(_ name: String, per count: Int = 1, _ body: () throws -> Void) rethrows {
            let elapsed = try ContinuousClock().measure(body).components
            let nanoseconds = Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
            let tenths = (nanoseconds / Double(count) / 100).rounded() / 10
            print("\(keepsHistory ? "with" : "without") history, \(name): \(tenths) µs")
        }
        try say("a document of 500 a commit, 10,000 new", per: 10_000) { try write(engine, rounds: 20, of: 500) }
        try say("a document of 500 a commit, 10,000 changed", per: 10_000) { try write(engine, rounds: 20, of: 500) }
        try say("a commit of one change", per: 2_000) { try write(engine, rounds: 2_000, of: 1) }
        if keepsHistory { try readPast(engine, say) }
        try say("clearing 10,000 documents") { try engine.clear() }
    }
}

private func write(_ engine: Engine, rounds: Int, of count: Int) throws {
    for round in 0..<rounds {
        _ = try engine.commit(
            (0..<count).map { index in
                let number = Int64(round * count + index)
                version += 1
                return .set(document(number), fields(number))
            })
    }
}

nonisolated(unsafe) private var version: Int64 = 0

private func fields(_ number: Int64) -> Fields {
    var fields = Fields()
    fields["n"] = .integer(number)
    fields["v"] = .integer(version)
    fields["s"] = .string("Water the plants")
    return fields
}

private func document(_ number: Int64) -> DocumentPath {
    CollectionPath(ResourcePath(segments: ["c"])).document(Text("\(number)"))
}

private func readPast(_ engine: Engine, _ say: (String, Int, () throws -> Void) throws -> Void) throws {
    try say("the present as a time", 2_000) { for _ in 0..<2_000 { _ = try engine.readTime() } }
    let time = try engine.readTime()
    var query = Query(from: CollectionSelector(collectionID: "c"), orders: [Order(FieldPath(name: "n"))])
    query.limit = 10
    for changes in [0, 10, 1_000] {
        try write(engine, rounds: 1, of: changes)
        try say("a document before \(changes) changes", 1_000) {
            for number in 0..<1_000 { _ = try engine.record(document(Int64(number)), at: time) }
        }
        try say("a query of 10 before \(changes) changes", 100) {
            for _ in 0..<100 { _ = try engine.run(.documents(query), at: time) }
        }
    }
    try say("a validated commit of one read and one change", 2_000) {
        for number in 0..<2_000 {
            var reads = try engine.beginReading()
            let path = document(Int64(number))
            reads.add(path)
            _ = try engine.record(path, at: reads.time)
            version += 1
            _ = try engine.commit([.set(path, fields(Int64(number)))], validating: reads)
        }
    }
}
