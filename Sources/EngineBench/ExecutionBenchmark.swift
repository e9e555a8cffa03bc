// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import IndexCatalog
internal import QueryPlanner

/// Runs queries production's way and Hearth's way, over 100,000 documents.
func runExecutionBenchmark() throws {
    let path = ".sample-data/execution-benchmark.db"
    makeFolder(".sample-data")
    removeDatabase(path)
    defer { removeDatabase(path) }
    let engine = try Engine.open(path)
    try engine.apply(ConfigurationReader.read(Array(ExecutionSample.indexes.utf8)).configuration, prune: true)
    var sample = ExecutionSample()
    _ = try engine.load(
        next: { () throws(EngineError) in sample.next() },
        reject: { path, error in preconditionFailure("\(path): \(error)") })
    for (name, text) in ExecutionSample.queries {
        let request = try QueryText.parse(text, database: engine.database)
        let (production, entries) = try time(request, engine, .production)
        let (fastest, fewer) = try time(request, engine, .fastest)
        print("\(name): production's way \(production), \(entries) entries; Hearth's \(fastest), \(fewer) entries")
    }
}

private func time(
    _ request: QueryRequest, _ engine: Engine, _ strategy: ExecutionStrategy
) throws -> (each: Duration, entries: Int) {
    let clock = ContinuousClock()
    var entries = 0
    var count = 0
    let start = clock.now
    while clock.now - start < .milliseconds(300) {
        entries = try engine.run(request, by: strategy).counters.entriesScanned
        count += 1
    }
    return ((clock.now - start) / count, entries)
}

/// 100,000 documents of random fields, the same in every run.
private struct ExecutionSample {
    static let indexes = """
        {"indexes":[
        {"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"kind","order":"ASCENDING"},{"fieldPath":"n","order":"ASCENDING"}]},
        {"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"m","order":"ASCENDING"},{"fieldPath":"n","order":"ASCENDING"}]},
        {"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"half","order":"ASCENDING"},{"fieldPath":"few","order":"ASCENDING"},{"fieldPath":"m","order":"ASCENDING"}]},
        {"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"half","order":"ASCENDING"},{"fieldPath":"m","order":"DESCENDING"}]},
        {"collectionGroup":"c","queryScope":"COLLECTION","fields":[{"fieldPath":"few","order":"ASCENDING"},{"fieldPath":"m","order":"DESCENDING"}]}
        ]}
        """

    static let queries: [(name: String, text: String)] = [
        ("a range behind an order of 8 values", "c.where('n','>=',99990).orderBy('kind')"),
        ("a range behind an order of 100,000 values", "c.where('n','>=',99990).orderBy('m')"),
        ("a wide range behind an order, limit 20", "c.where('n','>=',50000).orderBy('m').limit(20)"),
        ("two halves joined, limit 20", "c.where('half','==',1).where('other','==',1).limit(20)"),
        ("two halves joined, counted", "c.where('half','==',1).where('other','==',1).count()"),
        ("two twentieths joined, counted", "c.where('few','==',1).where('fewer','==',1).count()"),
        ("five documents joined with halves", "c.where('small','==',1).where('half','==',1).where('other','==',1)"),
        (
            "one index backwards instead of two joined, limit 20",
            "c.where('half','==',1).where('few','==',1).orderBy('m','desc').limit(20)"
        ),
        ("in of 30, ordered by its field, limit 20", "c.where('code','in',[\(thirty)]).orderBy('code').limit(20)"),
        ("in of 30, counted", "c.where('code','in',[\(thirty)]).count()"),
        ("in of 30", "c.where('code','in',[\(thirty)])"),
    ]

    private static let thirty = (0..<30).map { "\($0)" }.joined(separator: ",")

    private var number = 0
    private var state: UInt64 = 88_172_645_463_325_252

    private mutating func random(_ bound: UInt64) -> Int64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int64(state % bound)
    }

    mutating func next() -> (path: DocumentPath, fields: Fields)? {
        guard number < 100_000 else { return nil }
        number += 1
        let values: [(String, Value)] = [
            ("n", .integer(Int64(number))), ("m", .integer(random(100_000))), ("kind", .string(Text("k\(random(8))"))),
            ("half", .integer(random(2))), ("other", .integer(random(2))), ("few", .integer(random(20))),
            ("fewer", .integer(random(20))), ("small", .integer(number % 20_000 == 77 ? 1 : 0)),
            ("code", .integer(random(1_000))), ("filler", .string(Text(String(repeating: "x", count: 200)))),
        ]
        let fields = values.sorted { $0.0 < $1.0 }.map { Field(Text($0.0), $0.1) }
        let path = ResourcePath(segments: ["c", Text("d\(1_000_000 + number)")])
        return (DocumentPath(path), Fields(sorted: fields))
    }
}
