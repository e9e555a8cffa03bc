// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import DocumentModel
import IndexCatalog
import QueryPlanner
import TestSupport

/// The naive evaluator's answer to a request.
enum FuzzExpectation {
    case rows([NaiveRow])
    case nearest(NearestExpectation)
    case aggregates([NaiveAggregate])
    /// A vector search by cosine that meets a vector of zeros.
    case cosineFailure

    init(_ request: QueryRequest, _ oracle: NaiveEvaluator) {
        do throws(NaiveFailure) {
            switch request {
            case .documents(let query):
                if let nearest = query.nearest, nearest.measure == .cosine {
                    self = .nearest(try NearestExpectation(query, nearest, oracle))
                } else {
                    self = .rows(try oracle.rows(of: query))
                }
            case .aggregation(let query): self = .aggregates(try oracle.aggregates(of: query))
            }
        } catch {
            self = .cosineFailure
        }
    }

    static let invalid = "refused as invalid"

    /// Why an outcome is wrong, or nil. A missing index is not an answer.
    func difference(_ outcome: FuzzOutcome) throws -> String? {
        switch (self, outcome) {
        case (_, .invalid(let error)):
            return FuzzExpectation.isExcused(error) ? nil : "\(FuzzExpectation.invalid): \(error)"
        case (_, .missingIndex(let error)): return "asks for an index: \(error.definition.properties)"
        case (_, .hintRefused(let error)): return "refused a hint that is not there: \(error.message)"
        case (.cosineFailure, .refused): return nil
        case (_, .refused(let message)): return "refused: \(message)"
        case (.cosineFailure, .answer): return "a cosine distance to a vector of zeros was answered"
        case (.rows(let rows), .answer(let result)): return try difference(result, rows)
        case (.nearest(let nearest), .answer(let result)):
            return nearest.difference(try result.documents).map { "\($0), by\n\(result.plan.explanation.text)" }
        case (.aggregates(let expected), .answer(let result)):
            let found = result.aggregates
            let agree =
                found.map(\.alias) == expected.map(\.alias)
                && zip(found, expected).allSatisfy { $1.agrees(with: $0.value) }
            return agree
                ? nil
                : "found \(found), expected \(expected.map { ($0.alias, $0.value) }), by\n\(result.plan.explanation.text)"
        }
    }

    private func difference(_ result: QueryResult, _ rows: [NaiveRow]) throws -> String? {
        let found = try result.documents
        guard found.map(\.path) == rows.map(\.path) else {
            return "found \(found.map(\.path)), expected \(rows.map(\.path)), by\n\(result.plan.explanation.text)"
        }
        let different = zip(found, rows).first { !$0.fields.isIdentical(to: $1.fields) }
        return different.map {
            "\($0.path) has \($0.fields), expected \($1.fields), by\n\(result.plan.explanation.text)"
        }
    }

    /// The rules that the generator may break.
    private static func isExcused(_ error: InvalidQueryError) -> Bool {
        error.message.hasSuffix("is too large to be used in a query")
            || error.message == "collection group queries are only allowed at the root parent"
            || error.message.hasPrefix("The query may not have more than 100 filters")
    }
}

/// A search by cosine. Distances that differ only by rounding may be in either order.
struct NearestExpectation {
    /// Every candidate within the threshold, nearest first.
    private let ranking: [(row: NaiveRow, distance: Double)]
    private let count: Int
    private let distanceField: Text
    private static let tolerance = 1e-9

    init(_ query: Query, _ nearest: FindNearest, _ oracle: NaiveEvaluator) throws(NaiveFailure) {
        count = try oracle.rows(of: query).count
        let name = nearest.distanceField ?? "the distance"
        let everything = FindNearest(
            path: nearest.path, vector: nearest.vector, measure: nearest.measure, limit: 1_000, distanceField: name)
        distanceField = name
        let rows = try oracle.rows(of: query.with { $0.nearest = everything })
        ranking = rows.compactMap { row in
            guard case .double(let distance)? = row.fields[name] else {
                preconditionFailure("each row has its distance")
            }
            // NaN passes no threshold.
            return distance <= nearest.threshold ?? .infinity || nearest.threshold == nil ? (row, distance) : nil
        }
    }

    func difference(_ found: [Document]) -> String? {
        guard found.count == count, Set(found.map(\.path)).count == count else {
            return "found \(found.map(\.path)), expected \(count) of \(ranking.map(\.row.path))"
        }
        for (place, document) in found.enumerated() {
            guard let (row, distance) = ranking.first(where: { $0.row.path == document.path }),
                isNear(distance, ranking[place].distance)
            else { return "\(document.path) cannot stand at \(place) of \(ranking.map { ($0.row.path, $0.distance) })" }
            var fields = (document.fields, row.fields)
            if case .double(let told)? = fields.0[distanceField], !isNear(told, distance) {
                let isOwnField = fields.0[distanceField]?.isIdentical(to: row.fields[distanceField] ?? .null) ?? false
                if !isOwnField { return "\(document.path) is told to be \(told) away, not \(distance)" }
            }
            fields.0[distanceField] = nil
            fields.1[distanceField] = nil
            if !fields.0.isIdentical(to: fields.1) { return "\(document.path) has \(fields.0), expected \(fields.1)" }
        }
        return nil
    }

    private func isNear(_ left: Double, _ right: Double) -> Bool {
        left == right || left.isNaN && right.isNaN || abs(left - right) <= NearestExpectation.tolerance
    }
}
