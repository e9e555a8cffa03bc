// SPDX-License-Identifier: Apache-2.0

/// The first byte of a value's key bytes, which defines the order across types (V-2, V-4). The gaps are for future
/// types.
enum KeyLabel {
    static let null: UInt8 = 0x05
    static let `false`: UInt8 = 0x0A
    static let `true`: UInt8 = 0x0B
    static let nan: UInt8 = 0x0D
    static let number: UInt8 = 0x0F
    static let timestamp: UInt8 = 0x14
    static let string: UInt8 = 0x19
    static let bytes: UInt8 = 0x1E
    static let reference: UInt8 = 0x25
    static let geoPoint: UInt8 = 0x2D
    static let array: UInt8 = 0x32
    static let vector: UInt8 = 0x35
    static let map: UInt8 = 0x37
}

/// Bytes with a special meaning inside keys.
enum KeyMark {
    /// Ends strings, paths, arrays and maps. Sorts before everything that could continue them.
    static let end: UInt8 = 0x00
    /// Begins a numeric ID, so that it sorts before other IDs, and begins a map entry.
    static let item: UInt8 = 0x01
    /// Content bytes 0x00, 0x01 and 0x02 are written as this byte followed by their value plus one.
    static let escape: UInt8 = 0x02

    /// Whether a byte of the word is at most ``escape``.
    @inline(__always)
    static func isEscaped(anyOf word: UInt64) -> Bool {
        (word &- 0x0303_0303_0303_0303) & ~word & 0x8080_8080_8080_8080 != 0
    }
}

/// The key form of numbers: 77 bits in groups of seven, most significant first. The lowest bit of each byte says
/// whether another byte follows.
///
/// The 64 high bits are the number rounded down to a double, in a sign-biased form that sorts as the numbers do and
/// ends in zero bits for short numbers of either sign. The 13 low bits are the difference between an integer beyond 2⁵³
/// and that double (V-12). Trailing groups of zeros are omitted: `7` takes two bytes, and no double takes more than
/// ten.
enum NumberKey {
    /// The bytes of 77 bits.
    static let maximumCount = 11

    /// The number rounded down to a double, as ordered bits, and the difference in 0..<2¹³.
    struct Parts: Equatable {
        let bits: UInt64
        let residual: UInt16
    }

    static func parts(_ number: Double) -> Parts {
        Parts(bits: orderedBits(number), residual: 0)
    }

    static func parts(_ number: Int64) -> Parts {
        var floor = Double(number)
        if floor >= 0x1p63 || Int64(floor) > number { floor = floor.nextDown }
        return Parts(bits: orderedBits(floor), residual: UInt16(number &- Int64(floor)))
    }

    /// `-0.0` and `0.0` have the same bits.
    private static func orderedBits(_ number: Double) -> UInt64 {
        let magnitude = number.magnitude.bitPattern
        return number.sign == .minus ? (1 << 63) - magnitude : (1 << 63) + magnitude
    }

    static func double(_ bits: UInt64) -> Double {
        bits >= 1 << 63 ? Double(bitPattern: bits - (1 << 63)) : -Double(bitPattern: (1 << 63) - bits)
    }
}
