// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Collections whose numbers and encoded paths were found to belong together, each as a hash of both. It forgets some of them.
struct VerifiedCollections: Sendable {
    private static let maximumCount = 16_384

    /// Each at its number modulo the count, which is a power of two. Most databases number their collections from one.
    private var hashes: [UInt64] = []

    /// - Parameter path: without its end mark.
    func contains(_ collectionID: UInt64, path: RawSpan) -> Bool {
        !hashes.isEmpty && hashes[place(of: collectionID)] == WyHash.hash(path, seed: collectionID)
    }

    mutating func insert(_ collectionID: UInt64, path: RawSpan) {
        if hashes.isEmpty { hashes = Array(repeating: 0, count: 64) }
        let hash = WyHash.hash(path, seed: collectionID)
        while hashes[place(of: collectionID)] != 0, hashes[place(of: collectionID)] != hash,
            hashes.count < VerifiedCollections.maximumCount
        {
            // What was known is soon verified again.
            hashes = Array(repeating: 0, count: 2 * hashes.count)
        }
        hashes[place(of: collectionID)] = hash
    }

    private func place(of collectionID: UInt64) -> Int { Int(truncatingIfNeeded: collectionID) & (hashes.count - 1) }
}
