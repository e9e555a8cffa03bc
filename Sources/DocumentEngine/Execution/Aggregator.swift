// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Counts, sums and averages of rows, from index entries alone (Q-52 to Q-57, I-47).
struct Aggregator {
    private let aggregations: [NormalizedAggregation]
    private var rows = 0
    private var sums: [(path: FieldPath, sum: NumberSum)] = []

    init(_ aggregations: [NormalizedAggregation]) {
        self.aggregations = aggregations
        for path in aggregations.compactMap(\.kind.path) where !sums.contains(where: { $0.path == path }) {
            sums.append((path, NumberSum()))
        }
    }

    /// The number of rows that can matter: the highest cap if every aggregation is a capped count, otherwise nil.
    var rowLimit: Int? {
        var highest = 0
        for aggregation in aggregations {
            guard case .count(let upTo?) = aggregation.kind else { return nil }
            highest = max(highest, Int(clamping: upTo))
        }
        return highest
    }

    /// Whether rows are only counted.
    var onlyCounts: Bool { sums.isEmpty }

    mutating func add(rows count: Int) { rows += count }

    /// The only aggregated field, or nil if there are several.
    var onlyField: FieldPath? { sums.count == 1 ? sums[0].path : nil }

    /// Adds all rows of an operator. Requires ``onlyField``.
    mutating func addAll(of rows: any RowOperator, _ transaction: inout Transaction) throws(EngineError) {
        self.rows += try rows.addNumbers(at: sums[0].path, to: &sums[0].sum, &transaction)
    }

    mutating func add(_ row: any RowOperator, _ transaction: borrowing Transaction) throws(EngineError) {
        rows += 1
        for index in sums.indices { sums[index].sum.add(try row.number(at: sums[index].path, transaction)) }
    }

    private func sum(of path: FieldPath) -> NumberSum { sums.first { $0.path == path }?.sum ?? NumberSum() }

    func results() -> [(Text, Value)] {
        aggregations.map { aggregation in
            switch aggregation.kind {
            case .count(let upTo): (aggregation.alias, .integer(min(Int64(rows), upTo ?? .max)))
            case .sum(let path): (aggregation.alias, sum(of: path).sum)
            case .average(let path): (aggregation.alias, sum(of: path).average)
            }
        }
    }
}
