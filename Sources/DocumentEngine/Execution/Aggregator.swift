// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Counts, sums and averages of rows, from index entries alone (Q-52 to Q-57, I-47).
struct Aggregator {
    /// The numbers of one field. Integers are summed exactly, so that only the total decides about overflow.
    private struct Sum {
        var integers: Int128 = 0
        var doubles = 0.0
        var hasDouble = false
        var count = 0

        mutating func add(_ value: Value?) {
            switch value {
            case .integer(let number): integers += Int128(number)
            case .double(let number):
                doubles += number
                hasDouble = true
            default: return
            }
            count += 1
        }

        var total: Double { doubles + Double(integers) }

        var sum: Value {
            if !hasDouble, let exact = Int64(exactly: integers) { return .integer(exact) }
            return .double(total)
        }

        var average: Value { count == 0 ? .null : .double(total / Double(count)) }
    }

    private let aggregations: [NormalizedAggregation]
    private var rows = 0
    private var sums: [(path: FieldPath, sum: Sum)] = []

    init(_ aggregations: [NormalizedAggregation]) {
        self.aggregations = aggregations
        for path in aggregations.compactMap(\.kind.path) where !sums.contains(where: { $0.path == path }) {
            sums.append((path, Sum()))
        }
    }

    /// How many rows can matter: the highest cap, if every aggregation is a capped count.
    var rowLimit: Int? {
        var highest = 0
        for aggregation in aggregations {
            guard case .count(let upTo?) = aggregation.kind else { return nil }
            highest = max(highest, Int(clamping: upTo))
        }
        return highest
    }

    /// Whether rows need only be counted, not looked at.
    var onlyCounts: Bool { sums.isEmpty }

    mutating func add(rows count: Int) { rows += count }

    mutating func add(_ source: RowSource, _ cursors: borrowing CursorSet) throws(EngineError) {
        rows += 1
        for index in sums.indices { sums[index].sum.add(try source.number(at: sums[index].path, cursors)) }
    }

    private func sum(of path: FieldPath) -> Sum { sums.first { $0.path == path }?.sum ?? Sum() }

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
