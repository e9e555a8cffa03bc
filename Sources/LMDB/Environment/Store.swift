// SPDX-License-Identifier: Apache-2.0

/// A named, ordered map of byte keys (1 to 511 bytes) to byte values inside an environment.
///
/// Valid for the environment that opened it, as long as that lives.
package struct Store: Hashable, Sendable {
    let dbi: UInt32

    /// LMDB's lists of free pages: values are page numbers, led by their count, and keys the transactions that freed them.
    static let freeList = Store(dbi: 0)
}

/// The shape of one store's tree.
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
    /// Bytes a page.
    package let pageSize: Int
    /// Bytes of address space the map covers.
    package let mapSize: Int
    /// Pages of the file in use or free, without those never written.
    package let pages: Int
    /// Number of the last committed transaction, also of other processes.
    package let lastTransactionID: Int
    /// Slots of the reader table used so far, and how many there are.
    package let readers: Int
    package let maximumReaders: Int
}
