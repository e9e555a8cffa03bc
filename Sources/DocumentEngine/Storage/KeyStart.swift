// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The first sixteen bytes of a key in the order of keys, padded with zeroes. Most keys differ in them.
///
/// Keys with different starts are in the order of these. Keys with the same start may be any.
struct KeyStart: Comparable {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ key: RawSpan) {
        first = KeyEncoder.word(key, at: 0, end: key.byteCount)
        second = KeyEncoder.word(key, at: 8, end: key.byteCount)
    }

    @inline(__always)
    static func < (one: KeyStart, other: KeyStart) -> Bool {
        one.first != other.first ? one.first < other.first : one.second < other.second
    }
}
