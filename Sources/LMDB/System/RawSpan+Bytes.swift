// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension RawSpan {
    @inline(__always)
    package func byte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// The eight bytes from an offset on as a number, the first of them lowest.
    @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// As ``compareBytes(_:_:)``.
    package func compare(to other: [UInt8]) -> Int {
        unsafe compareBytes(self, other.span.bytes)
    }

    package func isEqual(to other: ArraySlice<UInt8>) -> Bool {
        unsafe byteCount == other.count && compareBytes(self, other.span.bytes) == 0
    }
}

extension Array where Element == UInt8 {
    package mutating func append(copying bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { bytes in unsafe append(contentsOf: bytes) }
    }

    /// Appends the bytes, or their complements.
    package mutating func append(copying bytes: RawSpan, complemented: Bool) {
        let start = count
        append(copying: bytes)
        guard complemented else { return }
        unsafe withUnsafeMutableBytes { own in
            for index in start..<own.count { unsafe own[index] = ~own[index] }
        }
    }
}

extension RawSpan {
    /// A span over LMDB's memory. The caller binds its lifetime.
    @unsafe @inline(__always) @_lifetime(immortal)
    init(_ value: MDB_val) {
        let bytes = unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
        let span = unsafe RawSpan(_unsafeBytes: bytes)
        self = unsafe _overrideLifetime(span, copying: ())
    }
}
