// SPDX-License-Identifier: Apache-2.0

/// A named, ordered map of byte keys (1 to 511 bytes) to byte values; LMDB calls it a database.
///
/// It is valid for the lifetime of the environment that opened it.
package struct Store: Hashable, Sendable {
    let dbi: UInt32

    /// LMDB's lists of free pages: values are page numbers, led by their count, and keys the transactions that freed them.
    static let freeList = Store(dbi: 0)
}

/// What LMDB records of a store's tree.
package struct StoreStatistics: Hashable, Sendable {
    package let entries: Int
    /// Levels of the tree; 0 when the store is empty.
    package let depth: Int
    package let branchPages: Int
    package let leafPages: Int
    package let overflowPages: Int

    package var pages: Int { branchPages + leafPages + overflowPages }
}

/// The state of an environment and its file.
package struct EnvironmentInfo: Hashable, Sendable {
    /// Bytes in a page.
    package let pageSize: Int
    /// Bytes of address space the map covers.
    package let mapSize: Int
    /// Pages of the file, used and free.
    package let pages: Int
    /// The number of the last committed transaction of any process.
    package let lastTransactionID: Int
    /// How many slots of the reader table have been used, and how many there are.
    package let readers: Int
    package let maximumReaders: Int
}
