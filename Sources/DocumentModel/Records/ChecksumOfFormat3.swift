// SPDX-License-Identifier: Apache-2.0

/// The checksum of records in files of formats 1 to 3. Only the upgrade of such a file uses it.
package enum ChecksumOfFormat3 {
    private static let first: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let second: UInt64 = 0xD6E8_FEB8_6659_FD93

    package static func of(_ record: Span<UInt8>, key: Span<UInt8>) -> UInt64 {
        fold(record, seed: fold(key, seed: second))
    }

    /// Steps of 16 bytes. The last step takes the rest, padded with zeros, and the length.
    private static func fold(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
        let length = UInt64(bytes.count)
        var state = seed ^ (length &* first)
        var offset = 0
        while bytes.count - offset >= 16 {
            state = mix(word(bytes, offset) ^ first ^ state, word(bytes, offset + 8) ^ second)
            offset += 16
        }
        return mix(word(bytes, offset) ^ first ^ state, word(bytes, offset + 8) ^ second ^ length)
    }

    /// Eight bytes, little-endian; zeros past the end.
    private static func word(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
        var word: UInt64 = 0
        var index = min(offset + 8, bytes.count)
        while index > offset {
            index -= 1
            word = word << 8 | UInt64(bytes[index])
        }
        return word
    }

    private static func mix(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 {
        let product = lhs.multipliedFullWidth(by: rhs)
        return (product.high ^ product.low) &+ (lhs ^ (rhs << 32 | rhs >> 32))
    }
}

extension StoredDocument {
    /// A record of formats 1 to 3 with today's checksum; nil if its own checksum does not match.
    package static func upgraded(_ record: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard record.count > headSize else { return nil }
        let written = record[..<8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard ChecksumOfFormat3.of(record.span.extracting(8...), key: key.span) == written else { return nil }
        var upgraded = record
        StoredDocumentEncoder.writeChecksum(into: &upgraded, key: key)
        return upgraded
    }
}
