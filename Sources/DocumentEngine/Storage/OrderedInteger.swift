// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Unsigned integers in one to nine bytes whose byte order is the numeric order.
///
/// The number of leading one bits in the first byte is the number of bytes that follow it. So small numbers take one
/// byte, and no encoding is a prefix of another.
package enum OrderedInteger {
    /// The bytes of a number, in place.
    struct Encoding {
        private let words: InlineArray<2, UInt64>
        private let count: Int

        init(_ number: UInt64) {
            if let (word, count) = word(number) {
                words = [word.bigEndian, 0]
                self.count = count
            } else {
                words = [(0xFF << 56 | number >> 8).bigEndian, (number << 56).bigEndian]
                count = 9
            }
        }

        var bytes: RawSpan {
            @_lifetime(borrow self) borrowing get { words.span.bytes.extracting(0..<count) }
        }
    }

    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(copying: Encoding(number).bytes)
    }

    /// An encoding of at most eight bytes, the first of them highest; nil for the greatest numbers, whose encoding has nine.
    static func word(_ number: UInt64) -> (bytes: UInt64, count: Int)? {
        let width = max(64 - number.leadingZeroBitCount, 1)
        guard width <= 56 else { return nil }
        let following = (width - 1) / 7
        let ones = UInt64(0xFF00 >> following & 0xFF) << UInt64(8 * following)
        return ((ones | number) << UInt64(56 - 8 * following), following + 1)
    }

    static func append(_ number: UInt64, to encoder: inout KeyEncoder) {
        if number < 0x80 {
            encoder.append(byte: UInt8(number))
        } else {
            encoder.append(encoded: bytes(number))
        }
    }

    package static func bytes(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return bytes
    }

    /// The length of an encoding, from its first byte.
    static func length(_ first: UInt8) -> Int { (~first).leadingZeroBitCount + 1 }

    /// Reads the number at `offset` and moves `offset` past it.
    package static func read(_ bytes: RawSpan, _ offset: inout Int) throws(EngineError) -> UInt64 {
        guard offset < bytes.byteCount else { throw .damaged("a number is missing from a key") }
        let first = bytes.byte(at: offset)
        if first < 0x80 {
            offset += 1
            return UInt64(first)
        }
        let following = (~first).leadingZeroBitCount
        guard offset + following < bytes.byteCount else { throw .damaged("a number in a key ends too early") }
        var number = following == 8 ? 0 : UInt64(first & (0xFF >> UInt8(following + 1)))
        for index in 0..<following {
            number = number << 8 | UInt64(bytes.byte(at: offset + 1 + index))
        }
        offset += following + 1
        return number
    }

    static func read(_ bytes: RawSpan) throws(EngineError) -> UInt64 {
        var offset = 0
        return try read(bytes, &offset)
    }
}
