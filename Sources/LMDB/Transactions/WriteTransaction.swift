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
/// It sees its own changes; others see them after the commit. The bytes that it returns are valid until its next change, which
/// the compiler checks. After an error of a changing operation the transaction can only be aborted: rethrow the error.
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

    /// The value stored under `key`; `nil` if there is none.
    @_lifetime(borrow self)
    package borrowing func get(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> RawSpan? {
        guard let value = unsafe try lookUp(transaction, nil, store, key) else { return nil }
        return unsafe _overrideLifetime(RawSpan(value), borrowing: self)
    }

    /// Puts a value under `key`, which has 1 to 511 bytes.
    package mutating func put(
        _ store: Store, _ key: borrowing RawSpan, _ value: borrowing RawSpan
    ) throws(LMDBError) {
        try put(store, key, value, flags: 0)
    }

    /// Appends an entry after the store's last one. Faster than ``put(_:_:_:)``, and pages get fuller.
    ///
    /// - Throws: `keyExists` if `key` is not above the last key.
    package mutating func append(
        _ store: Store, _ key: borrowing RawSpan, _ value: borrowing RawSpan
    ) throws(LMDBError) {
        try put(store, key, value, flags: UInt32(MDB_APPEND))
    }

    /// Deletes the entry under `key`; `false` if there is none.
    package mutating func delete(_ store: Store, _ key: borrowing RawSpan) throws(LMDBError) -> Bool {
        guard key.byteCount > 0 else { return false }
        var key = unsafe lmdbValue(key)
        let code = unsafe mdb_del(transaction, store.dbi, &key, nil)
        guard code == 0 || code == MDB_NOTFOUND else { throw writer.failure(code, .delete) }
        return code == 0
    }

    /// Deletes every entry of the store.
    package mutating func empty(_ store: Store) throws(LMDBError) {
        let code = unsafe mdb_drop(transaction, store.dbi, 0)
        guard code == 0 else { throw writer.failure(code, .empty) }
    }

    /// Cursors for reading and writing. The transaction itself cannot be used while they exist.
    @_lifetime(&self)
    package mutating func makeCursors() -> CursorSet {
        let cursors = unsafe CursorSet(transaction, owner: writer, storage: nil)
        return unsafe _overrideLifetime(cursors, mutating: &self)
    }

    private borrowing func put(
        _ store: Store, _ key: borrowing RawSpan, _ value: borrowing RawSpan, flags: UInt32
    ) throws(LMDBError) {
        var key = unsafe lmdbValue(key)
        var value = unsafe lmdbValue(value)
        let code = unsafe mdb_put(transaction, store.dbi, &key, &value, flags)
        guard code == 0 else { throw writer.failure(code, .put) }
    }
}
