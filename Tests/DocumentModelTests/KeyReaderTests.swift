// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import TestSupport
import Testing

@Suite struct KeyReaderTests {
    /// Decoding gives an equal value, and skipping ends where decoding ends, in both directions and in the middle of
    /// bytes.
    @Test func decodesWhatWasEncoded() throws {
        let values = ValueGenerator()
        try check(
            count: Rounds.of(12_000),
            generate: { random in (values.value(&random), random.chance(0.5), random.chance(0.5)) }
        ) { value, descending, followed in
            let bytes = key(value, descending: descending)
            let whole = [7, 7] + bytes + (followed ? [0x00, 0xFF] : [])
            var reader = KeyReader(whole.span.bytes, at: 2)
            let decoded = try reader.value(descending: descending)
            guard decoded == value else { return "decoded as \(decoded)" }
            guard reader.offset == 2 + bytes.count else { return "decoding ends at \(reader.offset)" }
            guard reader.isAtEnd != followed else { return "isAtEnd" }
            var skipper = KeyReader(whole.span.bytes, at: 2)
            try skipper.skipValue(descending: descending)
            return skipper.offset == reader.offset ? nil : "skipping ends at \(skipper.offset)"
        }
    }

    /// IDs are written eight bytes at a time, and bytes to be escaped may be anywhere.
    @Test func escapesBytesOfSegmentsAtEveryPlace() {
        for count in 1...40 {
            for place in 0..<count {
                for byte in UInt8(0)...3 {
                    var content = Array(repeating: UInt8(ascii: "x"), count: count)
                    content[place] = byte
                    var encoder = KeyEncoder()
                    encoder.append(segment: Text(String(decoding: content, as: UTF8.self)))
                    #expect(encoder.bytes == content.flatMap { $0 <= 2 ? [2, $0 + 1] : [$0] } + [0])
                }
            }
        }
    }

    @Test func decodesEveryHardCase() throws {
        for value in HardCases.ascendingGroups.joined() {
            for descending in [false, true] {
                let bytes = key(value, descending: descending)
                var reader = KeyReader(bytes.span.bytes)
                #expect(try reader.value(descending: descending) == value)
                var skipper = KeyReader(bytes.span.bytes)
                try skipper.skipValue(descending: descending)
                let skipped = skipper.offset
                #expect(skipped == bytes.count, "\(value)")
            }
        }
    }

    /// V-8: with the bit of its entry, a number comes back unchanged. Only the sign of a zero is lost.
    @Test func numbersComeBackWithTheirType() throws {
        var random = SeededGenerator.printingSeed()
        let values = ValueGenerator()
        let edges = HardCases.numbers.joined() + Self.edges.map(Value.integer) + Self.edges.map { .double(Double($0)) }
        for value in Array(edges) + (0..<Rounds.of(8_000)).map({ _ in values.number(&random) }) {
            for descending in [false, true] {
                let bytes = key(value, descending: descending)
                var reader = KeyReader(bytes.span.bytes)
                let isDouble = if case .double = value { true } else { false }
                let number = try reader.number(isDouble: isDouble, descending: descending)
                let expected: Value = value == 0 && isDouble ? 0.0 : value
                guard number?.value.isIdentical(to: expected) == true, reader.isAtEnd else {
                    Issue.record("\(value) came back as \(String(describing: number))")
                    return
                }
                // Where eight more bytes follow, they are read at once.
                let followed = bytes + (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
                var other = KeyReader(followed.span.bytes)
                let again = try other.number(isDouble: isDouble, descending: descending)
                guard again?.value.isIdentical(to: expected) == true, other.offset == bytes.count else {
                    Issue.record("\(value) came back as \(String(describing: again)) where \(followed) follows")
                    return
                }
            }
        }
    }

    /// Near each power of two, and at both ends of the range.
    static let edges: [Int64] =
        (0..<63).flatMap { power -> [Int64] in
            let number = Int64(1) << Int64(power)
            return [number - 1, number, number + 1, -number - 1, -number, -number + 1]
        } + [.min, .min + 1, .min + 1_023, .min + 1_024, .min + 1_025, .max, .max - 1, .max - 1_023, .max - 1_024]

    /// V-12: round numbers are short.
    @Test(arguments: [
        (Value.integer(0), 2), (7, 3), (-7, 3), (1_024, 3), (9_223_372_036_854_775_807, 12), (0.1, 11),
        (.double(.nan), 1),
    ])
    func numbersAreShort(_ number: Value, _ atMost: Int) {
        #expect(key(number).count <= atMost)
    }

    @Test func numbersPassOverOtherValues() throws {
        let values: [Value] = [
            nil, true, "a\0b", .bytes([0, 1, 2]), ["a": [1, "x"]], [1, .double(.nan)], .vector([1, .nan]),
        ]
        for value in values {
            for descending in [false, true] {
                let bytes = key(value, descending: descending)
                var reader = KeyReader(bytes.span.bytes)
                #expect(try reader.number(isDouble: false, descending: descending) == nil)
                let isAtEnd = reader.isAtEnd
                #expect(isAtEnd, "\(value)")
            }
        }
    }

    @Test func idsAndPathsComeBack() throws {
        let values = ValueGenerator()
        try check(
            count: Rounds.of(2_000), generate: { random in (values.reference(&random).path, random.chance(0.5)) }
        ) { path, descending in
            var encoder = KeyEncoder()
            encoder.append(path: path, descending: descending)
            for segment in path.segments { encoder.append(segment: segment, descending: descending) }
            var reader = KeyReader(encoder.bytes.span.bytes)
            let decoded = try reader.path(descending: descending)
            guard decoded == path else { return "decoded as \(decoded)" }
            var skipper = KeyReader(encoder.bytes.span.bytes, at: reader.offset)
            for segment in path.segments {
                let decoded = try reader.segment(descending: descending)
                try skipper.skipSegment(descending: descending)
                guard decoded == segment, skipper.offset == reader.offset else { return "segment \(decoded)" }
            }
            return reader.isAtEnd ? nil : "ends at \(reader.offset)"
        }
    }
}
