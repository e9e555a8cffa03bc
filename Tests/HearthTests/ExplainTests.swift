// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

/// `explain` with the names of Firestore's server libraries, and `usingIndex`.
@Suite struct ExplainTests {
    private static let indexes = """
        {"indexes": [{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "state", "order": "ASCENDING"}, {"fieldPath": "population", "order": "DESCENDING"}]}]}
        """

    private func sample() throws -> (Sample, CollectionReference) {
        let sample = try Sample()
        let cities = try Cities.load(into: sample.database)
        try sample.database.sync.setIndexConfiguration(Self.indexes)
        return (sample, cities)
    }

    @Test func P10_planOnly() throws {
        let (_, cities) = try sample()
        let results = try cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true)
            .sync.explain()
        #expect(results.snapshot == nil)
        #expect(results.metrics.executionStats == nil)
        let summary = results.metrics.planSummary
        #expect(
            summary.indexesUsed == [
                ["query_scope": "Collection", "properties": "(state ASC, population DESC, __name__ DESC)"]
            ])
        #expect(summary.executedPlan == summary.productionPlan)
        #expect(summary.productionPlan.hasPrefix("Index scan: of cities"))
    }

    @Test func P13_analyze() async throws {
        let (_, cities) = try sample()
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true).limit(to: 1)
        let results = try await query.explain(ExplainOptions(analyze: true))
        #expect(results.snapshot?.documents.map(\.documentID) == ["LA"])
        let stats = try #require(results.metrics.executionStats)
        #expect(stats.resultsReturned == 1 && stats.readOperations == 1)
        // P-8: production reads one entry beyond the limit, Hearth does not.
        #expect(stats.debugStats["index_entries_scanned"] == "2")
        #expect(stats.debugStats["documents_billable"] == "1" && stats.debugStats["min_query_cost"] == "0")
        #expect(stats.entriesScanned == 1 && stats.documentsRead == 1 && stats.documentsRejected == 0)
        #expect(stats.bytesRead > 0 && stats.seeks == 1)
    }

    @Test func aggregations() throws {
        let (_, cities) = try sample()
        let query = cities.whereField("state", in: ["CA", "NY"]).count
        let results = try query.sync.explain(ExplainOptions(analyze: true))
        #expect(results.snapshot?.count == 2)
        #expect(results.metrics.planSummary.productionPlan.contains("Merge"))
        #expect(results.metrics.planSummary.executedPlan.contains("Sequence"))
        #expect(results.metrics.executionStats?.debugStats["index_entries_billable"] == "2")
        #expect(try query.sync.explain().snapshot == nil)
    }

    @Test func E8_aMissingIndexIsNotFoundByAPlan() throws {
        let (_, cities) = try sample()
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "name")
        #expect(
            text(.failedPrecondition) { _ = try query.sync.explain() } == "no matching index found.")
        #expect(
            text(.failedPrecondition) { _ = try query.sync.explain(ExplainOptions(analyze: true)) }?
                .hasPrefix("The query requires an index.") == true)
        do {
            _ = try query.sync.explain()
        } catch let error as FirestoreError {
            #expect(error.missingIndex?.fields.map(\.fieldPath) == ["state", "name", "__name__"])
        }
    }

    @Test func explainWithACallback() async throws {
        let (_, cities) = try sample()
        let found = await withCheckedContinuation { continuation in
            cities.explain(ExplainOptions(analyze: true)) { results, _ in
                continuation.resume(returning: results?.snapshot?.count)
            }
        }
        #expect(found == 5)
        let count = await withCheckedContinuation { continuation in
            cities.count.explain(ExplainOptions(analyze: true)) { results, _ in
                continuation.resume(returning: results?.metrics.executionStats?.resultsReturned)
            }
        }
        #expect(count == 1)
    }

    @Test func hintsThatCannotLie() throws {
        let (_, cities) = try sample()
        let query = cities.whereField("state", isEqualTo: "CA").order(by: "population", descending: true)
        let hinted = query.usingIndex("(population DESC)")
        #expect(try hinted.ids() == query.ids())
        #expect(hinted != query)
        #expect(try hinted.sync.explain().metrics.planSummary.executedPlan.contains("index (population DESC"))
        // Documents without a name would be missing.
        #expect(
            text(.invalidArgument) { _ = try query.usingIndex("(name ASC)").ids() }?
                .contains("would change the result") == true)
        #expect(
            text(.invalidArgument) { _ = try query.usingIndex("(name ASC, state ASC)").ids() }?
                .contains("has no index") == true)
        #expect(
            text(.invalidArgument) { _ = try query.usingIndex("name").ids() }?
                .contains("does not name an index") == true)
    }
}
