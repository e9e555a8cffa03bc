// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The first sixteen bytes of a key in the order of keys, padded with zeroes. Most keys differ in them.
///
/// Keys with different starts are in the order of these. Keys with the same start may be any.
struct KeyStart: Comparable {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ key: RawSpan) {
        first = KeyStart.word(of: key, at: 0)
        second = KeyStart.word(of: key, at: 8)
    }

    @inline(__always)
    private static func word(of key: RawSpan, at offset: Int) -> UInt64 {
        guard key.byteCount < offset + 8 else { return key.word(at: offset).byteSwapped }
        var word: UInt64 = 0
        for index in offset..<offset + 8 {
            word = word << 8 | (index < key.byteCount ? UInt64(key.byte(at: index)) : 0)
        }
        return word
    }

    @inline(__always)
    static func < (one: KeyStart, other: KeyStart) -> Bool {
        one.first != other.first ? one.first < other.first : one.second < other.second
    }
}
