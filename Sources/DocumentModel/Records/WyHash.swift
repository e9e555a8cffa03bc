// SPDX-License-Identifier: Apache-2.0

/// wyhash, final version 4.2, with its default secret: a public-domain hash of 64 bits by Wang Yi
/// (github.com/wangyi-fudan/wyhash). docs/format.md states it to the byte.
package enum WyHash {
    private static let secret0: UInt64 = 0x2D35_8DCC_AA6C_78A5
    private static let secret1: UInt64 = 0x8BB8_4B93_962E_ACC9
    private static let secret2: UInt64 = 0x4B33_A62E_D433_D4A3
    private static let secret3: UInt64 = 0x4D5A_2DA5_1DE1_AA47

    package static func hash(_ bytes: RawSpan, seed: UInt64) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe hash($0, seed: seed) }
    }

    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let count = bytes.count
        var state = seed ^ mix(seed ^ secret0, secret1)
        let ends: (UInt64, UInt64)
        if count <= 16 {
            ends = unsafe endsOfShort(bytes)
        } else {
            unsafe fold(bytes, into: &state)
            ends = unsafe (word(bytes, count &- 16), word(bytes, count &- 8))
        }
        let product = (ends.0 ^ secret1).multipliedFullWidth(by: ends.1 ^ state)
        return mix(product.low ^ secret0 ^ UInt64(truncatingIfNeeded: count), product.high ^ secret1)
    }

    /// Everything but the last 1 to 16 bytes: 48 bytes a step in three independent lanes, then 16 bytes a step.
    @inline(__always)
    private static func fold(_ bytes: UnsafeRawBufferPointer, into state: inout UInt64) {
        var offset = 0
        if bytes.count >= 48 {
            var (second, third) = (state, state)
            repeat {
                state = mix(unsafe word(bytes, offset) ^ secret1, unsafe word(bytes, offset &+ 8) ^ state)
                second = mix(unsafe word(bytes, offset &+ 16) ^ secret2, unsafe word(bytes, offset &+ 24) ^ second)
                third = mix(unsafe word(bytes, offset &+ 32) ^ secret3, unsafe word(bytes, offset &+ 40) ^ third)
                offset &+= 48
            } while bytes.count &- offset >= 48
            state ^= second ^ third
        }
        while bytes.count &- offset > 16 {
            state = mix(unsafe word(bytes, offset) ^ secret1, unsafe word(bytes, offset &+ 8) ^ state)
            offset &+= 16
        }
    }

    /// At most 16 bytes, some of them twice.
    @inline(__always)
    private static func endsOfShort(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        let last = bytes.count &- 1
        guard last >= 3 else {
            guard last >= 0 else { return (0, 0) }
            let middle = bytes.count &>> 1
            return unsafe (UInt64(bytes[0]) << 16 | UInt64(bytes[middle]) << 8 | UInt64(bytes[last]), 0)
        }
        let step = (bytes.count &>> 3) &<< 2
        let end = bytes.count &- 4
        return unsafe (
            half(bytes, 0) << 32 | half(bytes, step), half(bytes, end) << 32 | half(bytes, end &- step)
        )
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }

    @inline(__always)
    private static func mix(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
        let product = lhs.multipliedFullWidth(by: rhs)
        return product.high ^ product.low
    }
}
