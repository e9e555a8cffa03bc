// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import QueryPlanner

/// Measures planning: a typical query and the worst one, with 200 composite indexes, and the queries of a long file.
func runPlanBenchmark() throws {
    let catalog = IndexCatalog(
        IndexConfiguration(indexes: (0..<200).map { PlanSample.index($0) }))
    try measurePlan("three filters, one order", PlanSample.typical, catalog, times: 20_000)
    try measurePlan("30 disjuncts of three filters", PlanSample.worst, catalog, times: 500)
    try measurePlan("24 disjuncts, each a join of four", PlanSample.joins, catalog, times: 500)
    try measureQueriesFile(catalog)
}

private enum PlanSample {
    static let database = DatabaseID(project: "bench")

    /// Every field of the typical query is the first field of some indexes.
    static func index(_ number: Int) -> IndexDefinition {
        let fields: [FieldPath] = ["state", "kind", "owner", "open", "created", "population", "city", "year"].map {
            FieldPath(name: $0)
        }
        let picked = [fields[number % 4], fields[number / 4 % 8], fields[number / 32 % 8]]
        var paths: [FieldPath] = []
        for path in picked where !paths.contains(path) { paths.append(path) }
        paths.append(FieldPath(name: Text("extra\(number)")))
        let last: Direction = number % 2 == 0 ? .ascending : .descending
        return IndexDefinition(
            collectionGroup: "places", scope: .collection,
            fields: paths.map { IndexField($0, .order($0 == paths.last ? last : .ascending)) }, nameDirection: last)
    }

    static let served = [
        IndexDefinition(
            collectionGroup: "places", scope: .collection,
            fields: ["kind", "open", "state", "created"].map {
                IndexField(FieldPath(name: $0), .order($0 == "created" ? .descending : .ascending))
            }, nameDirection: .descending)
    ]

    static let typical =
        "places.where('state','==','CA').where('kind','==','city').where('open','==',true).orderBy('created','desc').limit(20)"

    static let worst =
        "places.where('state','in',[\(list(30))]).where('kind','==','city').where('open','==',true).orderBy('created','desc')"

    static let joins =
        "places.where('state','in',[\(list(24))]).where('kind','==','city').where('open','==',true).where('year','==',1)"

    private static func list(_ count: Int) -> String { (0..<count).map { "'s\($0)'" }.joined(separator: ",") }
}

private func measurePlan(_ name: String, _ text: String, _ catalog: IndexCatalog, times: Int) throws {
    let catalog = IndexCatalog(
        composites: catalog.composites + PlanSample.served.map { IndexCatalog.Composite($0) }, fieldOverrides: [])
    let request = try QueryText.parse(text, database: PlanSample.database)
    let clock = ContinuousClock()
    func plan(_ times: Int, _ cache: PlanCache?) throws -> Duration {
        let start = clock.now
        for _ in 0..<times {
            _ = try Planner.plan(request, catalog: catalog, database: PlanSample.database, cache: cache)
        }
        return (clock.now - start) / times
    }
    let cache = PlanCache()
    _ = try plan(times / 10, cache)
    print("\(name): \(try plan(times, cache)) a plan, \(try plan(times, nil)) without the cache")
}

/// Reads and plans 100,000 different lines, as `hearth check` does.
private func measureQueriesFile(_ catalog: IndexCatalog) throws {
    let lines = (0..<100_000).map { number in
        let text =
            "places.where('state','==','s\(number % 50)').where('f\(number % 300)','==',\(number)).where('open','==',true).orderBy('created','\(number % 3 == 0 ? "asc" : "desc")').limit(20)"
        return #"{"id":"q\#(number)","query":"\#(text)"}"#
    }
    let clock = ContinuousClock()
    let start = clock.now
    let cache = PlanCache()
    var served = 0
    for line in lines {
        let node = try JSONParser.parse(line)
        let request = try QueryText.parse(node["query"]?.string ?? "", database: PlanSample.database)
        if (try? Planner.plan(request, catalog: catalog, database: PlanSample.database, cache: cache)) != nil {
            served += 1
        }
    }
    print("100,000 lines of queries, read and planned under 200 indexes: \(clock.now - start), \(served) served")
}
