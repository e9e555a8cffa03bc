// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentEngine

@Suite struct OrderedIntegerTests {
    /// As docs/format.md has it.
    @Test func encodingsAreThoseOfTheFormat() {
        let ones: [UInt8] = Array(repeating: 0xFF, count: 7)
        #expect(OrderedInteger.bytes(0x7F) == [0x7F])
        #expect(OrderedInteger.bytes(0x80) == [0x80, 0x80])
        #expect(OrderedInteger.bytes(0x3FFF) == [0xBF, 0xFF])
        #expect(OrderedInteger.bytes((1 << 56) - 1) == [0xFE] + ones)
        #expect(OrderedInteger.bytes(1 << 56) == [0xFF, 0x01] + Array(repeating: 0, count: 7))
        #expect(OrderedInteger.bytes(.max) == [0xFF, 0xFF] + ones)
    }

    /// At each place where an encoding becomes longer.
    @Test func encodingsAreReadBackAndAscend() throws {
        var numbers: [UInt64] = [0, .max]
        for bits in stride(from: 7, through: 63, by: 7) { numbers += [(1 << UInt64(bits)) - 1, 1 << UInt64(bits)] }
        let encodings = numbers.sorted().map(OrderedInteger.bytes)
        for (number, bytes) in zip(numbers.sorted(), encodings) {
            var offset = 0
            #expect(try OrderedInteger.read(bytes.span.bytes, &offset) == number)
            #expect(offset == bytes.count && OrderedInteger.length(bytes[0]) == bytes.count)
        }
        for (first, second) in zip(encodings, encodings.dropFirst()) {
            #expect(first.lexicographicallyPrecedes(second))
        }
    }
}
