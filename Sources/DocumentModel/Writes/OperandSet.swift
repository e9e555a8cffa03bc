// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The operands of an array transform, each once. Finding one takes comparisons in the logarithm of their number, so that a
/// transform of many operands takes no time in the product of both lists.
struct OperandSet {
    private let sorted: [Value]

    init(_ operands: [Value]) {
        var sorted: [Value] = []
        sorted.reserveCapacity(operands.count)
        for operand in operands.sorted() where sorted.last != operand { sorted.append(operand) }
        self.sorted = sorted
    }

    var count: Int { sorted.count }

    /// The place of the operand that equals the value (W-20), from 0 to ``count``.
    func place(of value: Value) -> Int? {
        let place = sorted.indices.partitioningIndex { sorted[$0] >= value }
        return place < sorted.count && sorted[place] == value ? place : nil
    }
}
