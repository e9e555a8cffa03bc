// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import Foundation
import IndexCatalog
import QueryPlanner
import TestSupport
import Testing

/// Compares the engine with the answers of production and of the official SDKs' tests.
@Suite struct RecordedSuitesTests {
    @Test func production2020() throws {
        try run("production-queries/cases", atLeast: 2_900)
    }

    @Test func officialSDKs() throws {
        try run("sdk-queries/cases", atLeast: 220)
    }

    /// In strict mode, with the indexes that were deployed.
    @Test func production2026() throws {
        guard let data = Locations.sharedData() else { return }
        let configuration = ConfigurationReader.read(
            [UInt8](try Data(contentsOf: data.appending(path: "production-2026/configurations.ndjson")))
        ).configuration
        try #require(!configuration.indexes.isEmpty)
        try run(
            "production-2026/queries", indexes: configuration, allowScan: false, atLeast: 280)
    }

    private func run(
        _ file: String, indexes: IndexConfiguration = IndexConfiguration(), allowScan: Bool = true,
        atLeast minimum: Int
    ) throws {
        guard let data = Locations.sharedData() else { return }
        let recorded = try RecordedCases(data.appending(path: file + ".ndjson"))
        var databases: [[DocumentPath: Fields]: TemporaryDatabase] = [:]
        var count = 0
        var skipped: [String: Int] = ["another form": recorded.unreadable.count]
        for testCase in recorded.cases {
            if let reason = RecordedSuitesTests.reasonToSkip(testCase) {
                skipped[reason, default: 0] += 1
                continue
            }
            let database =
                try databases[testCase.documents]
                ?? TemporaryDatabase(indexes: indexes, documents: testCase.documents)
            databases[testCase.documents] = database
            let difference = difference(testCase, database.engine, allowScan: allowScan)
            #expect(difference == nil, "\(testCase.id)")
            count += 1
        }
        print("\(file): \(count) cases answered by the engine, skipped \(skipped)")
        #expect(count >= minimum)
    }

    /// The planner's tests check refusals.
    private static func reasonToSkip(_ testCase: RecordedCase) -> String? {
        if testCase.line.contains("\"disputed\"") { return "disputed" }
        switch testCase.expectation {
        case .error: return "expects an error"
        case .names(let names, _):
            let known = Set(testCase.documents.keys.map(\.description))
            if !known.isSuperset(of: names) { return "expects a document that is not there" }
        case .aggregates: break
        }
        return testCase.tags.intersection(["exact-order-differs", "datastore-namespace"]).first
    }

    private func difference(_ testCase: RecordedCase, _ engine: Engine, allowScan: Bool) -> String? {
        do throws(QueryError) {
            switch testCase.expectation {
            case .error: return nil
            case .names(let names, let unordered):
                let found = try engine.run(testCase.query, allowScan: allowScan).documents
                return difference(found, testCase, names, unordered: unordered)
            case .aggregates(let expected):
                let query = AggregationQuery(testCase.query, testCase.aggregations)
                let found = try engine.run(query, allowScan: allowScan).aggregates
                let agree =
                    found.count == expected.count && found.allSatisfy { isNear(expected[$0.alias.string], $0.value) }
                return agree ? nil : "found \(found), recorded \(expected)"
            }
        } catch {
            return "refused: \(error)"
        }
    }

    private func difference(
        _ found: [Document], _ testCase: RecordedCase, _ names: [String], unordered: Bool
    ) -> String? {
        let paths = found.map(\.path.description)
        guard unordered ? paths.sorted() == names.sorted() : paths == names else {
            return "found \(paths), recorded \(names)"
        }
        for document in found {
            guard let expected = testCase.fields[document.path.description] else { continue }
            let compared = Set(expected.map(\.name))
            let shown =
                testCase.fieldsArePartial
                ? Fields(sorted: document.fields.filter { compared.contains($0.name) }) : document.fields
            if NaiveOrder.compare(.map(shown), .map(expected)) != 0 { return "fields of \(document.path): \(shown)" }
        }
        return nil
    }

    /// The rounding of sums of doubles depends on the order of addition.
    private func isNear(_ expected: Value?, _ found: Value) -> Bool {
        guard case .double(let left)? = expected, case .double(let right) = found, left.isFinite, right.isFinite else {
            return expected?.isIdentical(to: found) ?? false
        }
        return abs(left - right) <= 1e-9 * max(1, abs(left))
    }
}
