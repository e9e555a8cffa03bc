// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@Suite struct KeyRangeTests {
    /// The first bytes after all that start with a prefix. Nothing at or after them starts with it.
    @Test(
        arguments: [
            ([], []), ([0], [1]), ([0xFE], [0xFF]), ([0xFF], []), ([0xFF, 0xFF], []), ([1, 0xFF], [2]),
            ([1, 2, 0xFF, 0xFF], [1, 3]),
            ([0xFF, 0], [0xFF, 1]), ([5, 0], [5, 1]),
        ] as [([UInt8], [UInt8])])
    func successors(_ prefix: [UInt8], _ successor: [UInt8]) {
        #expect(KeyRange.successor(of: prefix) == successor)
    }

    @Test func successorEndsTheStringsWithAPrefix() throws {
        let edges: [UInt8] = [0, 1, 0x7F, 0xFE, 0xFF]
        try check(
            count: Rounds.of(20_000),
            generate: { random in
                let prefix = (0..<random.int(1..<4)).map { _ in random.pick(edges) }
                let free = (0..<random.int(0..<5)).map { _ in random.pick(edges) }
                return (prefix, random.chance(0.5) ? prefix + free : free)
            }
        ) { prefix, bytes in
            let inside = contains(KeyRange(prefix: prefix), bytes)
            return inside == bytes.starts(with: prefix) ? nil : "\(bytes) against \(prefix)"
        }
    }

    /// V-27: a value is of a class exactly if its bytes are in the class's range. NaN is a number with a range of its own.
    @Test func rangesHoldTheirClassesExactly() {
        var random = SeededGenerator.printingSeed()
        let values = ValueGenerator()
        let generated = (0..<Rounds.of(5_000)).map { _ in values.value(&random) }
        for value in Array(HardCases.ascendingGroups.joined()) + generated {
            let (ascending, descending) = (key(value), key(value, descending: true))
            for typeClass in TypeClass.allCases {
                let range = KeyRange(of: typeClass)
                let isOfClass = value.typeClass == typeClass && !value.isNaN
                let complement = range.complemented
                guard contains(range, ascending) == isOfClass, contains(complement, descending) == isOfClass else {
                    Issue.record("\(value) and the range of \(typeClass)")
                    return
                }
            }
            let nan = KeyRange.notANumber
            #expect(contains(nan, ascending) == value.isNaN)
            #expect(contains(nan.complemented, descending) == value.isNaN)
        }
    }

    /// The ranges of the classes follow one another in the classes' order (V-2).
    @Test func rangesAscendAndDoNotOverlap() {
        let ranges = TypeClass.allCases.map { KeyRange(of: $0) }
        for (left, right) in zip(ranges, ranges.dropFirst()) {
            #expect(compareBytes(left.lower, left.upper) < 0)
            #expect(compareBytes(left.upper, right.lower) <= 0)
        }
    }

    /// A range of ascending bytes and its complement hold the same values, for all bounds: encodings, their successors,
    /// labels, none.
    @Test func complementHoldsTheSameValues() throws {
        let nearMiss = NearMiss()
        try check(
            count: Rounds.of(25_000),
            generate: { random in
                let value = nearMiss.values.value(&random, depth: 2)
                let (low, high) = (nearMiss.value(value, &random), nearMiss.value(value, &random))
                return (
                    value, self.bound(random.chance(0.3) ? value : low, &random),
                    self.bound(random.chance(0.3) ? value : high, &random)
                )
            }
        ) { value, lower, upper in
            let range = KeyRange(lower: lower, upper: upper)
            let ascending = contains(range, key(value))
            let descending = contains(range.complemented, key(value, descending: true))
            return ascending == descending
                ? nil : "\(value) in \(lower)..<\(upper): \(ascending), descending \(descending)"
        }
    }

    private func bound(_ value: Value, _ random: inout SeededGenerator) -> [UInt8] {
        switch random.int(0..<5) {
        case 0: []
        case 1: KeyRange.successor(of: key(value))
        case 2: random.pick([KeyRange(of: value.typeClass).lower, KeyRange(of: value.typeClass).upper])
        default: key(value)
        }
    }

    /// Written apart from the range's own answer, which must be the same.
    private func contains(_ bounds: KeyRange, _ bytes: [UInt8]) -> Bool {
        #expect(bounds.contains(bytes.span.bytes) == isWithin(bounds, bytes))
        return isWithin(bounds, bytes)
    }

    private func isWithin(_ bounds: KeyRange, _ bytes: [UInt8]) -> Bool {
        compareBytes(bytes, bounds.lower) >= 0 && (bounds.upper.isEmpty || compareBytes(bytes, bounds.upper) < 0)
    }
}
