// SPDX-License-Identifier: Apache-2.0

// The target's calls to the system are in this file. Linux with glibc is supported; on Darwin, import Darwin here.
internal import Glibc

/// Compares bytes unsigned; a prefix sorts first (V-15). Negative, zero or positive.
func compareBytes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
    let shared = min(lhs.count, rhs.count)
    if shared > 0 {
        let order = unsafe memcmp(lhs.baseAddress!, rhs.baseAddress!, shared)
        if order != 0 { return Int(order) }
    }
    return lhs.count - rhs.count
}

/// The first eight bytes, padded with zeros, as a number with their order. If two of these differ, so do the bytes.
@inline(__always)
func firstWord(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self)) }
    if bytes.count >= 4 {
        // The first four and the last four, which overlap.
        let last = bytes.count - 4
        let first = UInt64(UInt32(bigEndian: unsafe bytes.loadUnaligned(as: UInt32.self)))
        let second = UInt64(UInt32(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: last, as: UInt32.self)))
        return first << 32 | second << UInt64(32 - 8 * last)
    }
    var word: UInt64 = 0
    for index in 0..<bytes.count { word |= UInt64(unsafe bytes[index]) << UInt64(56 - 8 * index) }
    return word
}

/// Whether both have the same bytes. For short ones this is faster than `memcmp`.
@inline(__always)
func areSame(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Bool {
    let count = lhs.count
    guard count == rhs.count else { return false }
    if count >= 8, count <= 16 { return unsafe haveSameEnds(lhs, rhs, as: UInt64.self) }
    if count >= 4, count < 8 { return unsafe haveSameEnds(lhs, rhs, as: UInt32.self) }
    return unsafe compareBytes(lhs, rhs) == 0
}

/// Compares the first and the last `T` of both, which are all bytes of up to two `T`.
@inline(__always)
private func haveSameEnds<T: FixedWidthInteger & BitwiseCopyable>(
    _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer, as type: T.Type
) -> Bool {
    let last = lhs.count - MemoryLayout<T>.size
    let first = unsafe lhs.loadUnaligned(as: type) ^ rhs.loadUnaligned(as: type)
    let second =
        unsafe lhs.loadUnaligned(fromByteOffset: last, as: type) ^ rhs.loadUnaligned(fromByteOffset: last, as: type)
    return first | second == 0
}

/// Compares byte arrays like ``compareBytes(_:_:)-swift.func``.
package func compareBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    unsafe lhs.withUnsafeBytes { left in
        unsafe rhs.withUnsafeBytes { right in
            unsafe compareBytes(left, right)
        }
    }
}

/// The first index of `byte` at or after `start`; nil if there is none.
@inline(__always)
func firstIndex(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return unsafe UnsafeRawPointer(found) - base
}

/// The first index of `byte` at or after `start`; nil if there is none.
func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { unsafe firstIndex(of: byte, in: $0, from: start) }
}

extension UInt64 {
    /// The number in eight bytes of a span.
    package init(bigEndianAt offset: Int, in bytes: RawSpan) {
        self.init(bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    package var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64(56 - 8 * $0)) }
    }
}
