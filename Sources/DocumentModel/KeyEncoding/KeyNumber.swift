// SPDX-License-Identifier: Apache-2.0

/// A number as a key has it.
package enum KeyNumber: Sendable {
    case integer(Int64)
    case double(Double)

    package var value: Value {
        switch self {
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        }
    }
}

extension NumberKey {
    static func value(_ parts: Parts) -> Value { number(parts, isDouble: false).value }

    @inline(__always)
    static func number(_ parts: Parts, isDouble: Bool) -> KeyNumber {
        let floor = double(parts.bits)
        return isDouble ? .double(floor) : integer(floor, parts.residual).map(KeyNumber.integer) ?? .double(floor)
    }

    @inline(__always)
    private static func integer(_ floor: Double, _ residual: UInt16) -> Int64? {
        guard floor >= -0x1p63, floor < 0x1p63 else { return nil }
        let whole = Int64(floor)
        guard Double(whole) == floor else { return nil }
        let (sum, overflow) = whole.addingReportingOverflow(Int64(residual))
        return overflow ? nil : sum
    }

    /// The high bits and the number of bytes of a number whose groups end within the first eight bytes, as most do.
    /// Otherwise nil.
    ///
    /// - Parameter word: the eight bytes, the first of them highest.
    @inline(__always)
    static func bits(ofGroups word: UInt64) -> (bits: UInt64, count: Int)? {
        // The lowest bit of the last group's byte is clear.
        let ends = ~word & 0x0101_0101_0101_0101
        guard ends != 0 else { return nil }
        let count = ends.leadingZeroBitCount / 8 + 1
        let others = (UInt64.max >> 1) >> UInt64(8 * count - 1)
        var groups = ((word & ~others) >> 1) & 0x7F7F_7F7F_7F7F_7F7F
        // Groups of 7 bits become groups of 14, of 28 and of 56.
        groups = ((groups & 0x7F00_7F00_7F00_7F00) >> 1) | (groups & 0x007F_007F_007F_007F)
        groups = ((groups & 0x3FFF_0000_3FFF_0000) >> 2) | (groups & 0x0000_3FFF_0000_3FFF)
        groups = ((groups & 0x0FFF_FFFF_0000_0000) >> 4) | (groups & 0x0000_0000_0FFF_FFFF)
        return (groups << 8, count)
    }
}
