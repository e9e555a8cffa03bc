// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// The frame of a write transaction.
@safe
final class Writer: AccessFrame {
    /// An operation found the map full, so that the transaction runs again with a larger map.
    private(set) var mapIsFull = false
    /// The first failure, after which LMDB refuses everything else.
    private var firstFailure: LMDBError?
    /// How many entries were put or deleted through cursors.
    var changes = 0
    /// Whether the transaction's pages are placed by ``placement``.
    var placesPages = false
    let placement: PagePlacement?

    init(of environment: ObjectIdentifier, _ placement: PagePlacement?) {
        self.placement = placement
        super.init(.write, of: environment)
    }

    func failure(_ code: Int32, _ operation: LMDBError.Operation) -> LMDBError {
        if code == MDB_MAP_FULL { mapIsFull = true }
        if code == MDB_BAD_TXN, let firstFailure { return firstFailure }
        let failure = LMDBError(code, operation)
        if firstFailure == nil { firstFailure = failure }
        return failure
    }
}

/// The write transaction of a database, from the beginning of ``Environment/write(_:)`` to its end. There is one at a time.
///
/// It reads and changes entries through its cursors, and sees its own changes; others see them after the commit. After an error of a changing operation the transaction can only be aborted: rethrow the error.
@safe
package struct WriteTransaction: ~Copyable {
    let transaction: OpaquePointer
    let writer: Writer

    @unsafe
    init(_ transaction: OpaquePointer, _ writer: Writer) {
        unsafe self.transaction = transaction
        self.writer = writer
    }

    /// The number of this transaction, under which it is committed.
    package var transactionID: Int { unsafe mdb_txn_id(transaction) }

    /// Deletes every entry of the store.
    package mutating func empty(_ store: Store) throws(LMDBError) {
        let code = unsafe mdb_drop(transaction, store.dbi, 0)
        guard code == 0 else { throw writer.failure(code, .empty) }
    }

    /// Cursors for reading and writing. The transaction itself cannot be used while they exist.
    @_lifetime(&self)
    package mutating func makeCursors() -> CursorSet {
        let cursors = unsafe CursorSet(transaction, owner: Unmanaged.passUnretained(writer), storage: nil)
        return unsafe _overrideLifetime(cursors, mutating: &self)
    }
}
