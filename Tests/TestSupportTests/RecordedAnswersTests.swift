// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import QueryPlanner
internal import TestSupport
internal import Testing

/// Compares the oracle with the answers of production and of the official SDKs' tests.
@Suite struct RecordedAnswersTests {
    @Test(arguments: RecordedCases.files)
    func naiveEvaluatorAnswersAsRecorded(file: String) throws {
        guard let data = Locations.sharedData() else { return }
        let recorded = try RecordedCases(data.appending(path: file + ".ndjson"))
        var run = 0
        var skipped = recorded.unreadable.count
        for testCase in recorded.cases {
            guard isAnswerable(testCase) else {
                skipped += 1
                continue
            }
            run += 1
            let difference = try difference(testCase)
            #expect(difference == nil, "\(testCase.id)")
        }
        print("\(file): \(run) cases answered, \(skipped) skipped (errors, truncated values, other databases)")
        #expect(run > 100)
    }

    /// Errors are the validator's task. Hearth does not promise `exact-order-differs` (see shared/data). One case of
    /// sdk-queries names a document that it does not have.
    private func isAnswerable(_ testCase: RecordedCase) -> Bool {
        guard testCase.tags.isDisjoint(with: ["exact-order-differs", "datastore-namespace"]) else { return false }
        switch testCase.expectation {
        case .error: return false
        case .aggregates: return true
        case .names(let names, _):
            let known = Set(testCase.documents.keys.map(\.description))
            return names.allSatisfy(known.contains)
        }
    }

    /// The difference from the expectation, or nil.
    private func difference(_ testCase: RecordedCase) throws -> String? {
        let evaluator = NaiveEvaluator(testCase.documents)
        switch testCase.expectation {
        case .error: return nil
        case .names(let names, let unordered):
            let rows = try evaluator.rows(of: testCase.query)
            let found = rows.map(\.path.description)
            let agree = unordered ? found.sorted() == names.sorted() : found == names
            guard agree else { return "found \(found), recorded \(names)" }
            let wrong = rows.first { row in
                testCase.fields[row.path.description].map { !fieldsAgree(row.fields, $0, testCase.fieldsArePartial) }
                    ?? false
            }
            return wrong.map { "fields of \($0.path): \($0.fields)" }
        case .aggregates(let expected):
            let query = AggregationQuery(testCase.query, testCase.aggregations)
            let found = try evaluator.aggregates(of: query)
            let agree =
                found.count == expected.count
                && found.allSatisfy { item in expected[item.alias.string].map(item.agrees) ?? false }
            return agree ? nil : "found \(found.map { "\($0.alias): \($0.value)" }), recorded \(expected)"
        }
    }

    private func fieldsAgree(_ found: Fields, _ expected: Fields, _ partial: Bool) -> Bool {
        let names = Set(expected.map(\.name))
        let compared = partial ? Fields(sorted: found.filter { names.contains($0.name) }) : found
        return NaiveOrder.compare(.map(compared), .map(expected)) == 0
    }
}
