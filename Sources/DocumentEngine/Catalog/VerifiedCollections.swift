// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Collections whose numbers and encoded paths were found to belong together, each as a hash of both. It forgets some of them.
struct VerifiedCollections: Sendable {
    private struct Entry {
        let hash: UInt64
        /// Of the path; 0 where there is no collection.
        let length: Int
    }

    private static let maximumCount = 16_384

    /// Each at its number modulo the count, which is a power of two. Most databases number their collections from one.
    private var entries: [Entry] = []

    /// The length of a collection's path, without its end mark, if a name begins with it; nil also if that was not verified.
    func pathLength(of collectionID: UInt64, in name: RawSpan) -> Int? {
        guard !entries.isEmpty else { return nil }
        let entry = entries[place(of: collectionID)]
        guard entry.length > 0, entry.length <= name.byteCount,
            WyHash.hash(name.extracting(0..<entry.length), seed: collectionID) == entry.hash
        else { return nil }
        return entry.length
    }

    /// - Parameter path: without its end mark.
    mutating func insert(_ collectionID: UInt64, path: RawSpan) {
        if entries.isEmpty { empty(count: 64) }
        let hash = WyHash.hash(path, seed: collectionID)
        while case let other = entries[place(of: collectionID)], other.length > 0, other.hash != hash,
            entries.count < VerifiedCollections.maximumCount
        {
            // What was known is soon verified again.
            empty(count: 2 * entries.count)
        }
        entries[place(of: collectionID)] = Entry(hash: hash, length: path.byteCount)
    }

    private mutating func empty(count: Int) { entries = Array(repeating: Entry(hash: 0, length: 0), count: count) }

    private func place(of collectionID: UInt64) -> Int { Int(truncatingIfNeeded: collectionID) & (entries.count - 1) }
}
