// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A read transaction of LMDB with its cursors, kept between reads so that a short read allocates nothing.
// Unchecked because one read at a time owns it: the pool hands it out and takes it back under the gate's lock.
@safe
final class Reader: AccessFrame, @unchecked Sendable {
    let transaction: OpaquePointer
    /// As ``LeafPage`` needs it.
    let pageSize: Int
    private var idleCursors: [CursorStorage] = unsafe []

    /// Begins a transaction; the code of LMDB on failure.
    @unsafe
    init(_ transaction: OpaquePointer, of environment: ObjectIdentifier) {
        unsafe self.transaction = transaction
        unsafe pageSize = LeafPage.usableSize(transaction)
        super.init(.read, of: environment)
    }

    deinit {
        unsafe idleCursors.forEach { unsafe $0.free() }
        unsafe mdb_txn_abort(transaction)
    }

    @unsafe
    func takeCursors() -> CursorStorage? {
        unsafe idleCursors.popLast()
    }

    @unsafe
    func giveBack(_ storage: CursorStorage) {
        unsafe idleCursors.append(storage)
    }
}
