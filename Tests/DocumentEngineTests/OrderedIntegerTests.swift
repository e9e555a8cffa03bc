// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentEngine

@Suite struct OrderedIntegerTests {
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
