// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
internal import Synchronization

/// A read transaction of LMDB with its cursors, kept between reads so that a short read allocates nothing.
///
/// It belongs to one map: before the map is exchanged, the idle ones go, and none is in use.
// Unchecked because one read at a time owns it: the pool hands it out and takes it back under the gate's lock.
@safe
final class Reader: AccessFrame, @unchecked Sendable {
    let transaction: OpaquePointer
    /// As ``TreePage`` needs it.
    let pageSize: Int
    private let storeNames: StoreNames
    private var idleCursors: [CursorStorage] = unsafe []
    /// The last state that was read.
    private var state = -1
    private var map: PageMap?
    private let trees = unsafe TreeTable()
    /// Room for the lookups of a batch.
    let probes = UnsafeMutablePointer<Probe>.allocate(capacity: LookupBatch.capacity)

    @unsafe
    init(_ transaction: OpaquePointer, of environment: ObjectIdentifier, _ storeNames: StoreNames) {
        unsafe self.transaction = transaction
        unsafe pageSize = TreePage.usableSize(transaction)
        self.storeNames = storeNames
        super.init(.read, of: environment)
    }

    deinit {
        unsafe idleCursors.forEach { unsafe $0.free() }
        unsafe trees.free()
        unsafe probes.deallocate()
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

    /// The transaction has begun, perhaps with another state than before.
    func begin() {
        let state = unsafe mdb_txn_id(transaction)
        guard state != self.state else { return }
        self.state = state
        unsafe trees.forget()
        if let map = unsafe map { unsafe self.map = unsafe map.renewed(transaction) }
    }

    /// A store's tree; nil where only LMDB can read it.
    @unsafe @inline(__always)
    func tree(of store: Store) -> Tree? {
        unsafe trees.tree(of: store) { unsafe findTree(of: store) }
    }

    @unsafe @inline(never)
    private func findTree(of store: Store) -> Tree? {
        guard pageSize > 0, let name = storeNames[store], let record = unsafe storeRecord(name) else { return nil }
        if unsafe map == nil { unsafe map = PageMap(transaction, listEntry: record, pageSize: pageSize) }
        return unsafe map.flatMap { unsafe Tree(record, in: $0) }
    }

    /// LMDB's record of a store, an entry of its unnamed store.
    @unsafe
    private func storeRecord(_ name: String) -> UnsafeRawPointer? {
        var name = name
        return name.withUTF8 { name in
            var key = unsafe MDB_val(mv_size: name.count, mv_data: UnsafeMutableRawPointer(mutating: name.baseAddress))
            var value = unsafe MDB_val()
            let code = unsafe mdb_get(transaction, 1, &key, &value)
            return unsafe code == 0 && value.mv_size == Tree.recordSize ? UnsafeRawPointer(value.mv_data) : nil
        }
    }
}

/// The names of an environment's open stores, by their handles.
final class StoreNames: Sendable {
    private let names = Mutex<[Store: String]>([:])

    subscript(store: Store) -> String? { names.withLock { $0[store] } }

    func note(_ stores: [Store], _ names: [String]) {
        self.names.withLock { known in
            for (store, name) in zip(stores, names) { known[store] = name }
        }
    }
}
