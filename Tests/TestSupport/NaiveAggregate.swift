// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import QueryPlanner

/// The result of one aggregation, and its tolerance for other computations.
package struct NaiveAggregate: Sendable {
    /// The given alias, otherwise `field_1` and so on, counting only unnamed ones.
    package let alias: Text
    package let value: Value
    /// The rounding of sums of doubles depends on the order of addition. Zero if the result is exact.
    package let tolerance: Double

    package init(alias: Text, value: Value, tolerance: Double) {
        self.alias = alias
        self.value = value
        self.tolerance = tolerance
    }

    /// Whether another result agrees: it has the same type, and is equal within the tolerance.
    package func agrees(with other: Value) -> Bool {
        guard case .double(let mine) = value, case .double(let theirs) = other else {
            return NaiveOrder.compare(value, other) == 0 && isInteger(value) == isInteger(other)
        }
        if mine.isNaN || theirs.isNaN || tolerance.isInfinite {
            // Finite numbers whose sum of magnitudes overflows may reach an infinity in one order and not in another.
            return tolerance.isInfinite || mine.isNaN == theirs.isNaN
        }
        return mine == theirs || abs(mine - theirs) <= tolerance
    }

    private func isInteger(_ value: Value) -> Bool {
        if case .integer = value { true } else { false }
    }
}

extension NaiveAggregate {
    static func results(of aggregations: [Aggregation], over rows: [NaiveDocument]) -> [NaiveAggregate] {
        var unnamed = 0
        return aggregations.map { aggregation in
            var alias = aggregation.alias ?? ""
            if alias.string.isEmpty {
                unnamed += 1
                alias = Text("field_\(unnamed)")
            }
            switch aggregation.kind {
            case .count(let upTo):
                let count = Int64(rows.count)
                return NaiveAggregate(alias: alias, value: .integer(upTo.map { min($0, count) } ?? count), tolerance: 0)
            case .sum(let path):
                let numbers = Numbers(rows, path)
                return NaiveAggregate(alias: alias, value: numbers.sum, tolerance: numbers.tolerance)
            case .average(let path):
                let numbers = Numbers(rows, path)
                return NaiveAggregate(alias: alias, value: numbers.average, tolerance: numbers.tolerance)
            }
        }
    }
}

/// The numbers in a field. Values of other types are ignored.
private struct Numbers {
    private var integers: Int128 = 0
    private var doubles: [Double] = []
    private var count = 0
    private var magnitude = 0.0

    init(_ rows: [NaiveDocument], _ path: FieldPath) {
        for row in rows {
            switch row.value(at: path) {
            case .integer(let number)?:
                integers += Int128(number)
                magnitude += Double(number).magnitude
                count += 1
            case .double(let number)?:
                doubles.append(number)
                magnitude += number.magnitude
                count += 1
            default: break
            }
        }
    }

    private var total: Double { doubles.reduce(Double(integers), +) }

    ///
    var sum: Value {
        if doubles.isEmpty, let exact = Int64(exactly: integers) { return .integer(exact) }
        return .double(total)
    }

    ///
    var average: Value { count == 0 ? .null : .double(total / Double(count)) }

    var tolerance: Double {
        if doubles.contains(where: { !$0.isFinite }) { return 0 }
        return magnitude * 1e-12
    }
}

extension Aggregation.Kind {
    /// The field that a document must have for the aggregation.
    var path: FieldPath? {
        switch self {
        case .count: nil
        case .sum(let path), .average(let path): path
        }
    }
}
