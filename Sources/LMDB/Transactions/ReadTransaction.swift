// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A read transaction: one unchanging state of the database, from the beginning of ``Environment/read(_:)`` to its end.
///
/// The bytes that it returns point into the memory map and are valid as long as the transaction, which the compiler checks. Keep
/// it short: LMDB cannot reuse the pages of its state while it is open.
@safe
package struct ReadTransaction: ~Copyable {
    private let transaction: OpaquePointer
    // Not retained: ``Environment/read(_:)`` keeps it alive until the transaction has ended.
    private let owner: Unmanaged<Reader>

    @unsafe
    init(_ reader: Unmanaged<Reader>) {
        unsafe transaction = unsafe reader._withUnsafeGuaranteedRef { unsafe $0.transaction }
        unsafe owner = unsafe reader
    }

    var reader: Reader { unsafe owner.takeUnretainedValue() }

    /// The value stored under `key`; `nil` if there is none.
    @_lifetime(borrow self)
    package borrowing func get(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> RawSpan? {
        let tree = unsafe try reader.tree(of: store)
        guard let value = unsafe try lookUp(transaction, tree, store, key) else { return nil }
        return unsafe _overrideLifetime(RawSpan(value), borrowing: self)
    }

    /// The number of the last transaction in this state.
    package var transactionID: Int { unsafe mdb_txn_id(transaction) }

    /// Cursors over this state. Several sets may be open at once.
    @_lifetime(borrow self)
    package borrowing func makeCursors() -> CursorSet {
        let owner = unsafe Unmanaged<AccessFrame>.fromOpaque(self.owner.toOpaque())
        let storage = unsafe self.owner._withUnsafeGuaranteedRef { unsafe $0.takeCursors() }
        let cursors = unsafe CursorSet(transaction, owner: owner, storage: storage)
        return unsafe _overrideLifetime(cursors, borrowing: self)
    }

    package borrowing func statistics(of store: Store) throws(LMDBError) -> StoreStatistics {
        try reader.statistics(of: store)
    }

    /// The number of free pages in the file. Reads the whole free list.
    package borrowing func countFreePages() throws(LMDBError) -> Int {
        guard try statistics(of: .freeList).entries > 0 else { return 0 }
        var cursors = makeCursors()
        let cursor = try cursors.open(.freeList)
        var pages = 0
        while try cursors.next(cursor) {
            let value = cursors.value(cursor)
            guard value.byteCount >= 8 else { throw LMDBError(MDB_CORRUPTED, .statistics) }
            pages += unsafe value.unsafeLoadUnaligned(as: Int.self)
        }
        return pages
    }
}

@unsafe
func readStatistics(_ transaction: OpaquePointer, _ store: Store) throws(LMDBError) -> StoreStatistics {
    var stat = MDB_stat()
    let code = unsafe mdb_stat(transaction, store.dbi, &stat)
    guard code == 0 else { throw LMDBError(code, .statistics) }
    return StoreStatistics(
        entries: stat.ms_entries, depth: Int(stat.ms_depth), branchPages: stat.ms_branch_pages,
        leafPages: stat.ms_leaf_pages, overflowPages: stat.ms_overflow_pages)
}
