// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A set of index entries in 16 bytes, whatever the order they come in: two sets with one digest are the same set, unless
/// 64-bit checksums deceive.
struct EntryDigest: Equatable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(key: RawSpan, value: RawSpan) {
        count += 1
        sum &+= Checksum.of(value, key: key)
    }

    mutating func add(_ other: EntryDigest) {
        count += other.count
        sum &+= other.sum
    }
}
