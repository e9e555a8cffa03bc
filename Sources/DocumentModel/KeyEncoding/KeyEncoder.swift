// SPDX-License-Identifier: Apache-2.0

/// Writes order-preserving key bytes.
///
/// The laws, for all values a and b, and for IDs and paths likewise:
/// - ascending bytes(a) < bytes(b) exactly if a sorts before b; equal values have equal bytes (`3` and `3.0` too);
/// - descending bytes are the complement of the ascending ones, so they sort the other way round;
/// - no encoding is a prefix of another, so concatenated encodings compare field by field.
package struct KeyEncoder {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// - Parameter capacity: the expected number of bytes.
    package init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    package var count: Int { bytes.count }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Removes everything from an offset on.
    package mutating func truncate(to count: Int) {
        bytes.removeSubrange(count...)
    }

    /// The first sixteen of the bytes from `offset` up to `end`, as ``word(_:at:end:)`` has them.
    package func words(at offset: Int, end: Int) -> (first: UInt64, second: UInt64) {
        unsafe bytes.withUnsafeBytes { bytes in
            if offset + 16 <= end {
                let first = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let second = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
                return (UInt64(bigEndian: first), UInt64(bigEndian: second))
            }
            let span = unsafe RawSpan(_unsafeBytes: bytes)
            return (
                KeyEncoder.word(span, at: offset, end: end), KeyEncoder.word(span, at: offset + 8, end: end)
            )
        }
    }

    /// The eight bytes from `offset` up to `end`, which must lie within `bytes`, padded with zeros, as a number with the same
    /// order.
    package static func word(_ bytes: RawSpan, at offset: Int, end: Int) -> UInt64 {
        if offset + 8 <= end {
            return unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = unsafe word << 8 | UInt64(index < end ? bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) : 0)
        }
        return word
    }

    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(_ value: Value, descending: Bool = false) {
        unsafe write(atMost: value.keyRoom, descending) { writer in unsafe writer.append(value) }
    }

    /// A collection or document ID.
    package mutating func append(segment: Text, descending: Bool = false) {
        unsafe write(atMost: segment.keyRoom, descending) { writer in unsafe writer.append(segment: segment) }
    }

    /// The segments of a path, without an end mark: the beginning of all paths below it.
    package mutating func append(segmentsOf path: ResourcePath) {
        for segment in path.segments { append(segment: segment) }
    }

    /// A path: its segments and an end mark.
    package mutating func append(path: ResourcePath, descending: Bool = false) {
        unsafe write(atMost: path.keyRoom, descending) { writer in unsafe writer.append(path: path) }
    }

    /// Bytes that are already encoded.
    package mutating func append(encoded: [UInt8]) {
        // Appending the array itself would retain it.
        unsafe encoded.withUnsafeBytes { encoded in unsafe bytes.append(contentsOf: encoded) }
    }

    /// Bytes that are already encoded.
    package mutating func append(copying encoded: RawSpan, descending: Bool = false) {
        let start = bytes.count
        unsafe encoded.withUnsafeBytes { encoded in unsafe bytes.append(contentsOf: encoded) }
        guard descending else { return }
        for index in start..<bytes.count { bytes[index] = ~bytes[index] }
    }

    /// A value between bytes that are already encoded, as most entries of indexes have it. Faster than one by one.
    package mutating func append(_ first: RawSpan, _ second: RawSpan, _ value: Value, _ last: RawSpan) {
        unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe last.withUnsafeBytes { last in
                    let room = first.count + second.count + value.keyRoom + last.count
                    unsafe write(atMost: room, false) { writer in
                        unsafe writer.append(copying: first)
                        unsafe writer.append(copying: second)
                        unsafe writer.append(value)
                        unsafe writer.append(copying: last)
                    }
                }
            }
        }
    }

    /// Appends what `body` writes, which is at most so many bytes.
    // `Array.append(addingCapacity:)` would spare the copy, but Swift 6.2 does not have it.
    @unsafe @inline(__always)
    private mutating func write(atMost room: Int, _ descending: Bool, _ body: (inout KeyWriter) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
            guard let start = buffer.baseAddress else { return }
            var writer = unsafe KeyWriter(start)
            unsafe body(&writer)
            if descending { unsafe writer.complement(from: start) }
            let count = unsafe writer.next - start
            precondition(count <= room, "a key is within the room for it")
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }
}
