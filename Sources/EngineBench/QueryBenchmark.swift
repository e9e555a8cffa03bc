// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

/// Runs queries of the sample data repeatedly. `make run CITIES=500` creates the database.
func runQueryBenchmark() throws {
    var options = Engine.Options()
    options.creates = false
    let engine = try Engine.open(".sample-data/cities500.hearth", options)
    let clock = ContinuousClock()
    for (name, text, repetitions) in queries {
        let request = try QueryText.parse(text, database: engine.database)
        var entries = 0
        var rows = 0
        let start = clock.now
        for _ in 0..<repetitions {
            let result = try engine.run(request)
            entries = result.counters.entriesScanned
            rows = result.counters.rows
        }
        let each = (clock.now - start) / repetitions
        print("\(name): \(each) a query, \(rows) rows, \(entries) entries")
    }
}

private let queries: [(name: String, text: String, repetitions: Int)] = [
    (
        "equality, order, limit 10", "cities.where('countrycode','==','JP').orderBy('population','desc').limit(10)",
        20_000
    ),
    ("range, limit 20", "cities.where('population','>',1000000).orderBy('population').limit(20)", 20_000),
    (
        "join, limit 20",
        "cities.where('countrycode','==','US').where('timezone','==','America/Chicago').orderBy('population','desc').limit(20)",
        5_000
    ),
    ("count", "cities.where('timezone','==','Asia/Kolkata').count()", 200),
    ("sum", "cities.aggregate(sum('population'))", 20),
    ("array-contains", "cities.where('alternatenames','array-contains','Alexandria').limit(20)", 10_000),
]
