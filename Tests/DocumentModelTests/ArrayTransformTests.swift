// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

/// Unions and removals of elements (W-20, W-21).
@Suite struct ArrayTransformTests {
    private static let values = ValueGenerator(allowsLong: false)

    private static func list(_ random: inout SeededGenerator) -> [Value] {
        (0..<random.int(0..<8)).map { _ in
            random.chance(0.5)
                ? random.pick([.integer(1), .double(1), .double(.nan), .integer(0), .double(-0.0), .null, .string("1")])
                : values.value(&random, depth: 2)
        }
    }

    private func transformed(_ stored: [Value], _ operation: FieldTransform.Operation) -> Value {
        FieldTransform(FieldPath(name: "a"), operation).apply(
            to: .array(stored), at: Timestamp(seconds: 0, nanoseconds: 0)!
        ).value
    }

    @Test func elementsAreComparedOneByOne() throws {
        try check(
            count: Rounds.of(20_000),
            generate: { random in [ArrayTransformTests.list(&random), ArrayTransformTests.list(&random)] }
        ) { (lists: [[Value]]) in
            let (stored, operands) = (lists[0], lists[1])
            var union = stored
            for operand in operands where !union.contains(where: { NaiveOrder.compare($0, operand) == 0 }) {
                union.append(operand)
            }
            guard transformed(stored, .appendMissingElements(operands)).isIdentical(to: .array(union)) else {
                return "union"
            }
            let rest = stored.filter { element in !operands.contains { NaiveOrder.compare($0, element) == 0 } }
            return transformed(stored, .removeAllFromArray(operands)).isIdentical(to: .array(rest)) ? nil : "removal"
        }
    }

    /// The product of both lists would grow 64 times.
    @Test func theTimeGrowsWithTheLists() {
        let growth = growth(from: 1_000, to: 8_000) { count in
            let stored = (0..<count).map { Value.integer(Int64($0)) }
            let operands = (0..<count).map { Value.integer(Int64($0 + count)) }
            #expect(transformed(stored, .appendMissingElements(operands)) == .array(stored + operands))
            #expect(transformed(stored, .removeAllFromArray(operands)) == .array(stored))
        }
        #expect(growth < 24, "\(growth)")
    }
}
