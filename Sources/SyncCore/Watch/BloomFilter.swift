// SPDX-License-Identifier: Apache-2.0

/// A set of texts that may seem to contain what it does not, never the other way round.
package struct BloomFilter: Sendable {
    private let bitmap: [UInt8]
    private let bitCount: UInt64
    private let hashCount: Int

    /// Nil if no set has this form: a padding outside 0...7 or of an empty bitmap, a negative count of hashes, or none
    /// for a bitmap that is not empty.
    package init?(bitmap: [UInt8], padding: Int, hashCount: Int) {
        guard (0...7).contains(padding), hashCount >= 0 else { return nil }
        guard bitmap.isEmpty ? padding == 0 : hashCount > 0 else { return nil }
        self.bitmap = bitmap
        self.hashCount = hashCount
        bitCount = UInt64(bitmap.count * 8 - padding)
    }

    /// An empty filter says nothing about any text, so it is as if there were none.
    package var isEmpty: Bool { bitCount == 0 }

    package func mightContain(_ text: String) -> Bool {
        guard bitCount > 0 else { return false }
        let (first, second) = MD5.digest(Array(text.utf8))
        return (0..<UInt64(hashCount)).allSatisfy { probe in
            let bit = (first &+ probe &* second) % bitCount
            return bitmap[Int(bit / 8)] >> (bit % 8) & 1 == 1
        }
    }
}
