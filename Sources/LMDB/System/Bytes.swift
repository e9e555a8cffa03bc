// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Compares byte strings in LMDB's key order: by unsigned bytes, and a prefix before a longer string.
///
/// - Returns: A number below, equal to or above zero.
package func compareBytes(_ a: RawSpan, _ b: RawSpan) -> Int {
    let shared = min(a.byteCount, b.byteCount)
    if shared > 0 {
        let order = unsafe System.compare(address(of: a)!, address(of: b)!, shared)
        if order != 0 { return Int(order) }
    }
    return a.byteCount - b.byteCount
}

/// Whether `bytes` begin with `prefix`, which may be empty.
package func startsWith(_ bytes: RawSpan, _ prefix: RawSpan) -> Bool {
    guard bytes.byteCount >= prefix.byteCount else { return false }
    guard prefix.byteCount > 0 else { return true }
    return unsafe System.compare(address(of: bytes)!, address(of: prefix)!, prefix.byteCount) == 0
}

extension Array where Element == UInt8 {
    /// Copies the bytes, so that they outlive their transaction.
    package init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
}

/// The bytes' address; the caller keeps the span alive while it uses it.
@unsafe @inline(__always)
func address(of bytes: RawSpan) -> UnsafeRawPointer? {
    unsafe bytes.withUnsafeBytes { $0.baseAddress }
}

/// LMDB's view of the bytes; LMDB only reads through it.
@unsafe @inline(__always)
func lmdbValue(_ bytes: RawSpan) -> MDB_val {
    unsafe MDB_val(mv_size: bytes.byteCount, mv_data: UnsafeMutableRawPointer(mutating: address(of: bytes)))
}
