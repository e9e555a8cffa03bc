// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A digest of a set of index entries, independent of their order. Sets with equal digests are equal, unless 64-bit
/// checksums collide.
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
