// SPDX-License-Identifier: Apache-2.0

/// The 64-bit checksum of stored records: 16 bytes a step, folded with full-width multiplication.
///
/// It detects damage, not forgery. It covers the key of the record too, so a record under a wrong key is detected.
package enum Checksum {
    private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93

    /// The checksum of a byte string and the key that it belongs to.
    package static func of(_ record: RawSpan, key: RawSpan) -> UInt64 {
        unsafe record.withUnsafeBytes { record in unsafe key.withUnsafeBytes { unsafe of(record, key: $0) } }
    }

    static func of(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt64 {
        unsafe fold(record, seed: fold(key, seed: second))
    }

    /// The checksums of two records in the time of one: a checksum is a chain of dependent multiplications, and two
    /// chains overlap.
    static func of(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        and other: UnsafeRawBufferPointer, key otherKey: UnsafeRawBufferPointer
    ) -> (UInt64, UInt64) {
        var first = unsafe Folding(record, seed: fold(key, seed: second))
        var second = unsafe Folding(other, seed: fold(otherKey, seed: second))
        while unsafe first.hasStep && second.hasStep {
            unsafe first.step()
            unsafe second.step()
        }
        return unsafe (first.finish(), second.finish())
    }

    private static func fold(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var folding = unsafe Folding(bytes, seed: seed)
        return unsafe folding.finish()
    }

    @unsafe
    private struct Folding {
        let bytes: UnsafeRawBufferPointer
        var state: UInt64
        var offset = 0

        @inline(__always)
        init(_ bytes: UnsafeRawBufferPointer, seed: UInt64) {
            unsafe self.bytes = bytes
            unsafe state = seed ^ (UInt64(truncatingIfNeeded: bytes.count) &* first)
        }

        var hasStep: Bool {
            @inline(__always) get { unsafe bytes.count &- offset >= 16 }
        }

        @inline(__always)
        mutating func step() {
            let low = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let high = unsafe bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            unsafe state = mix(UInt64(littleEndian: low) ^ first ^ state, UInt64(littleEndian: high) ^ second)
            unsafe offset &+= 16
        }

        @inline(__always)
        mutating func finish() -> UInt64 {
            while unsafe hasStep { unsafe step() }
            let (low, high) = unsafe rest(bytes, from: offset)
            return unsafe mix(low ^ first ^ state, high ^ second ^ UInt64(truncatingIfNeeded: bytes.count))
        }
    }

    /// The remaining bytes, fewer than sixteen, padded with zeros.
    private static func rest(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> (low: UInt64, high: UInt64) {
        let count = bytes.count - offset
        guard bytes.count >= 8, count > 0 else { return unsafe restByByte(bytes, from: offset) }
        // The last eight bytes may begin before the rest, so the excess is shifted out.
        let last = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
        guard count > 8 else { return (last >> UInt64(8 * (8 - count)), 0) }
        let low = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return (low, last >> UInt64(8 * (16 - count)))
    }

    private static func restByByte(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> (low: UInt64, high: UInt64) {
        var low: UInt64 = 0
        for index in offset..<bytes.count { low |= UInt64(unsafe bytes[index]) << UInt64(8 * (index - offset)) }
        return (low, 0)
    }

    /// Keeps both halves of the product, and the factors, so that a zero factor does not erase the state.
    private static func mix(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
        let product = lhs.multipliedFullWidth(by: rhs)
        return (product.high ^ product.low) &+ (lhs ^ (rhs << 32 | rhs >> 32))
    }
}
