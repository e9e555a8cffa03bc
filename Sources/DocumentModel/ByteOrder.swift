// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Unsigned byte-wise order, the shorter first on a tie (V-15): negative, zero or positive.
func compareBytes(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
    let shared = min(lhs.count, rhs.count)
    if shared > 0 {
        let order = unsafe memcmp(lhs.baseAddress!, rhs.baseAddress!, shared)
        if order != 0 { return Int(order) }
    }
    return lhs.count - rhs.count
}

/// The order of two byte arrays, as ``compareBytes(_:_:)-swift.func`` defines it.
package func compareBytes(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    unsafe lhs.withUnsafeBytes { left in
        unsafe rhs.withUnsafeBytes { right in
            unsafe compareBytes(left, right)
        }
    }
}

/// Where `byte` first stands at `start` or behind; nil where it does not.
package func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { bytes in
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
