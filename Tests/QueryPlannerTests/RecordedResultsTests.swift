// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Plans run over the recorded documents give the recorded answers: every bound is exact (I-29, I-30), every order right.
@Suite struct RecordedResultsTests {
    @Test(arguments: RecordedCases.files)
    func plansAnswerAsRecorded(file: String) throws {
        guard let data = Locations.sharedData() else { return }
        let recorded = try RecordedCases(data.appending(path: file + ".ndjson"))
        var run = 0
        var skipped: [String: Int] = ["another form": recorded.unreadable.count]
        for testCase in recorded.cases {
            if let reason = reasonToSkip(testCase) {
                skipped[reason, default: 0] += 1
                continue
            }
            run += 1
            let difference = try difference(testCase)
            #expect(difference == nil, "\(testCase.id)")
        }
        print("\(file): \(run) cases planned and run, skipped \(skipped)")
        #expect(run > 100)
    }

    private func reasonToSkip(_ testCase: RecordedCase) -> String? {
        if case .error = testCase.expectation { return "expects an error" }
        if case .aggregates = testCase.expectation { return "aggregation" }
        if testCase.query.nearest != nil { return "nearest" }
        if testCase.line.contains("\"disputed\"") { return "disputed" }
        if case .names(let names, _) = testCase.expectation,
            !Set(names).isSubset(of: testCase.documents.keys.map(\.description))
        {
            return "expects a document that is not there"
        }
        return testCase.tags.intersection(["exact-order-differs", "datastore-namespace"]).first
    }

    private func difference(_ testCase: RecordedCase) throws -> String? {
        guard case .names(let names, let unordered) = testCase.expectation else { return nil }
        var catalog = IndexCatalog(IndexConfiguration())
        let database = DatabaseID(project: "hearth")
        do {
            guard let (plan, _) = try QueryRequest.documents(testCase.query).plan(adding: &catalog, database) else {
                return "no suggestion helps"
            }
            let found = PlanSimulator(testCase.documents).result(of: plan).map(\.description)
            let agree = unordered ? found.sorted() == names.sorted() : found == names
            return agree ? nil : "found \(found), recorded \(names)"
        } catch {
            return "refused: \(error)"
        }
    }
}
