// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A read transaction of LMDB with its cursors, kept between reads so that a short read allocates nothing.
///
/// It belongs to one map: the map is exchanged while no reader is in use, and the idle ones are released before.
// Unchecked: one read at a time owns it. The pool gives it out and takes it back under the gate's lock.
@safe
final class Reader: AccessFrame, @unchecked Sendable {
    let transaction: OpaquePointer
    /// Nil where LMDB reads the pages.
    private let pages: PageReader?
    // Unchecked, because one thread reads, and a check would cost as much as the rest.
    @exclusivity(unchecked) private var idleCursors: [CursorStorage] = unsafe []
    /// Room for the lookups of a batch.
    let probes = UnsafeMutablePointer<Probe>.allocate(capacity: LookupBatch.capacity)

    @unsafe
    init(_ transaction: OpaquePointer, of environment: ObjectIdentifier, _ access: PageAccess?) {
        unsafe self.transaction = transaction
        pages = access.map { unsafe PageReader($0, transaction) }
        super.init(.read, of: environment)
    }

    deinit {
        unsafe idleCursors.forEach { unsafe $0.free() }
        unsafe probes.deallocate()
        unsafe mdb_txn_abort(transaction)
    }

    /// Whether this module reads the pages; else LMDB does.
    var readsPages: Bool { pages != nil }

    @unsafe
    func takeCursors() -> CursorStorage? {
        unsafe idleCursors.popLast()
    }

    @unsafe
    func giveBack(_ storage: CursorStorage) {
        unsafe idleCursors.append(storage)
    }

    /// Call it when the transaction has begun.
    ///
    /// - Returns: LMDB's code where the transaction had to begin again and could not.
    func begin() -> Int32 {
        while pages?.begin() == false {
            // Later commits have overwritten the state's meta page, or may have, so there is a newer state.
            unsafe mdb_txn_reset(transaction)
            let code = unsafe mdb_txn_renew(transaction)
            guard code == 0 else { return code }
        }
        return 0
    }

    /// A store's tree; nil where LMDB reads it.
    @unsafe @inline(__always)
    func tree(of store: Store) throws(LMDBError) -> Tree? {
        guard let pages else { return nil }
        return unsafe try pages.tree(of: store)
    }

    /// Whether beginning a read does not wait for the disk. False where LMDB reads the pages.
    var beginsAtOnce: Bool { pages?.areMetaPagesInMemory ?? false }

    /// Whether looking up a key does not wait for the disk. False where LMDB reads the pages.
    func isInMemory(_ key: RawSpan, of store: Store) throws(LMDBError) -> Bool {
        guard let pages, key.byteCount > 0, let start = unsafe address(of: key) else { return false }
        return unsafe try pages.isInMemory(SoughtKey(start, count: key.byteCount), of: store)
    }

    func statistics(of store: Store) throws(LMDBError) -> StoreStatistics {
        guard let pages else { return unsafe try readStatistics(transaction, store) }
        return try pages.record(of: store).statistics
    }
}
