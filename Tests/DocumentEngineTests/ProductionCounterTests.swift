// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport
import Testing

/// Hearth counts as production counts when asked to.
@Suite struct ProductionCounterTests {
    /// Every recorded explanation with statistics: entries, documents, read operations, results, and the listed
    /// indexes.
    @Test func recordedStatistics() throws {
        guard let data = Locations.sharedData() else { return }
        let folder = data.appending(path: "production-2026")
        let configuration = ConfigurationReader.read(
            [UInt8](try Data(contentsOf: folder.appending(path: "configurations.ndjson")))
        ).configuration
        let recorded = try RecordedCases(folder.appending(path: "queries.ndjson"))
        var databases: [[DocumentPath: Fields]: TemporaryDatabase] = [:]
        var count = 0
        for testCase in recorded.cases {
            guard let statistics = try Self.statistics(testCase) else { continue }
            let database =
                try databases[testCase.documents]
                ?? TemporaryDatabase(indexes: configuration, documents: testCase.documents)
            databases[testCase.documents] = database
            let request: QueryRequest =
                testCase.aggregations.isEmpty
                ? .documents(testCase.query) : .aggregation(AggregationQuery(testCase.query, testCase.aggregations))
            let counters = try database.engine.productionCounters(of: request)
            #expect(counters == ProductionCounters(try database.engine.run(request, by: .production)), "\(testCase.id)")
            let found = [
                counters.indexEntriesScanned, counters.documentsScanned, counters.readOperations,
                counters.resultsReturned, counters.documentsScanned, counters.indexEntriesBillable,
                counters.minimalCost,
            ]
            #expect(found == statistics, "\(testCase.id)")
            count += 1
        }
        print("production-2026: \(count) explanations counted as recorded")
        #expect(count >= 24)
    }

    /// Entries, documents, read operations, results, and the billing details; nil if the case has no statistics.
    private static func statistics(_ testCase: RecordedCase) throws -> [Int]? {
        let node = try JSONParser.parse(testCase.line)
        guard let stats = node["explain"]?["stats"] else { return nil }
        let billing = stats["billing_details"]
        return ["index_entries_scanned", "documents_scanned", "readOperations", "resultsReturned"].map { name in
            Int(stats[name]?.number?.int64 ?? 0)
        }
            + ["documents_billable", "index_entries_billable", "min_query_cost"].map { name in
                Int(billing?[name]?.number?.int64 ?? 0)
            }
    }

    /// P-7: the totals of two-member joins, as positions in name order. The members are hashed so that `d` comes before `c`.
    @Test(arguments: [
        ([1, 4], [1, 3, 5], 5), ([1, 4, 10, 11, 12, 13], [1, 3, 5], 6), ([2, 5], [0, 2, 4, 10, 11, 12, 13], 5),
        ([3], [3], 2),
    ])
    func P7_joinTotals(first: [Int], second: [Int], total: Int) throws {
        var documents: [DocumentPath: Fields] = [:]
        for position in Set(first + second) {
            let path = CollectionPath(ResourcePath(segments: ["c"])).document(Text("d\(100 + position)"))
            documents[path] = Fields([
                Field("d", first.contains(position) ? 1 : 0), Field("c", second.contains(position) ? 1 : 0),
            ])
        }
        let database = try TemporaryDatabase(documents: documents)
        let query = Query.collection("c").with { $0.filter = .and([.field("c", .equal, 1), .field("d", .equal, 1)]) }
        let result = try database.engine.run(.documents(query), by: .production)
        #expect(result.plan.indexesUsed.map(\.properties) == ["(d ASC, __name__ ASC)", "(c ASC, __name__ ASC)"])
        #expect(ProductionCounters(result).indexEntriesScanned == total)
    }
}
