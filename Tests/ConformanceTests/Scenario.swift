// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import IndexCatalog
import JSONText
import QueryPlanner
import TestSupport

/// A query over documents, and the indexes that Hearth may use for it.
struct Scenario: CustomStringConvertible {
    var documents: [DocumentPath: Fields] = [:]
    var indexes = IndexConfiguration()
    var request: QueryRequest

    /// In JSON, which shows every character.
    var description: String {
        var writer = JSONWriter()
        let database = DatabaseID(project: "hearth")
        QueryJSON.write(request, to: &writer, database: database)
        for (path, fields) in documents.sorted(by: { $0.key < $1.key }) {
            writer.newline()
            DocumentJSON.write(path, fields, to: &writer, database: database)
        }
        return "\(writer.string)\nindexes: \(indexes)"
    }

    /// The difference between two answers to the request, or nil.
    func difference(_ hearth: Answer, _ emulator: Answer) -> String? {
        let agree =
            switch (hearth, emulator) {
            case (.documents(let left), .documents(let right)):
                left.map(\.path) == right.map(\.path)
                    && zip(left, right).allSatisfy { Scenario.agree(.map($0.fields), .map($1.fields)) }
            case (.aggregates(let left), .aggregates(let right)): agreeing(left, right)
            case (.refused(let left, _), .refused(let right, _)): left == right
            default: false
            }
        return agree ? nil : "Hearth: \(hearth)\nemulator: \(emulator)"
    }

    /// Compares types and contents, except for what no order depends on: the emulator forgets the sign of a zero (V-11)
    /// and rounds distances in another sequence, and Foundation parses numbers by way of decimals.
    static func agree(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.double(let left), .double(let right)): isNear(left, right)
        case (.vector(let left), .vector(let right)):
            left.count == right.count && zip(left, right).allSatisfy(isNear)
        case (.geoPoint(let left), .geoPoint(let right)):
            isNear(left.latitude, right.latitude) && isNear(left.longitude, right.longitude)
        case (.array(let left), .array(let right)): left.count == right.count && zip(left, right).allSatisfy(agree)
        case (.map(let left), .map(let right)):
            left.count == right.count
                && zip(left.storage, right.storage).allSatisfy { $0.name == $1.name && agree($0.value, $1.value) }
        default: left.isIdentical(to: right)
        }
    }

    private static func isNear(_ left: Double, _ right: Double) -> Bool {
        left == right || (left.isNaN && right.isNaN) || abs(left - right) <= 1e-12 * abs(left)
    }

    /// The rounding of sums of doubles depends on the order of addition. Accepts what the naive evaluator accepts.
    private func agreeing(_ left: [String: Value], _ right: [String: Value]) -> Bool {
        guard case .aggregation(let query) = request, left.keys == right.keys,
            let expected = try? NaiveEvaluator(documents).aggregates(of: query)
        else { return false }
        return expected.allSatisfy { aggregate in
            guard let mine = left[aggregate.alias.string], let theirs = right[aggregate.alias.string] else {
                return false
            }
            return NaiveAggregate(alias: aggregate.alias, value: mine, tolerance: aggregate.tolerance)
                .agrees(with: theirs)
        }
    }

    /// Simpler scenarios near this one.
    var simpler: [Scenario] {
        func with(_ change: (inout Scenario) -> Void) -> Scenario {
            var copy = self
            change(&copy)
            return copy
        }
        return Shrinker.array(indexes.indexes).map { list in with { $0.indexes.indexes = list } }
            + Shrinker.array(indexes.fieldOverrides).map { list in with { $0.indexes.fieldOverrides = list } }
            + Scenario.simpler(request).map { request in with { $0.request = request } }
            + Shrinker.documents(documents).map { documents in with { $0.documents = documents } }
    }

    private static func simpler(_ request: QueryRequest) -> [QueryRequest] {
        let simplerRows = Shrinker.query(request.query).map { query in request.with { $0 = query } }
        guard case .aggregation(let aggregation) = request else { return simplerRows }
        return Shrinker.array(aggregation.aggregations).filter { !$0.isEmpty }
            .map { .aggregation(AggregationQuery(aggregation.query, $0)) } + simplerRows
    }
}

extension QueryRequest {
    /// This request with a changed query.
    func with(_ change: (inout Query) -> Void) -> QueryRequest {
        var query = query
        change(&query)
        switch self {
        case .documents: return .documents(query)
        case .aggregation(let aggregation): return .aggregation(AggregationQuery(query, aggregation.aggregations))
        }
    }
}
