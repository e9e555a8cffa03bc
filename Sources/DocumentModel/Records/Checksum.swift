// SPDX-License-Identifier: Apache-2.0

/// The 64-bit checksum of stored records: the ``WyHash`` of the record, whose seed is the hash of the key.
///
/// It finds damage, not forgery. It covers the key, so it also finds a record under another key than its own.
package enum Checksum {
    package static func of(_ record: RawSpan, key: RawSpan) -> UInt64 {
        WyHash.hash(record, seed: WyHash.hash(key, seed: 0))
    }

    static func of(_ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> UInt64 {
        unsafe WyHash.hash(record, seed: WyHash.hash(key, seed: 0))
    }
}
