// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension Environment {
    /// Opens the stores, in the order of their names. Call it at the start, outside any transaction.
    ///
    /// Every store makes beginning any transaction slower, so there should be a handful.
    ///
    /// - Parameter create: creates missing stores, all in one transaction.
    /// - Throws: `noSuchStore` if one is missing and not created; `corrupted` if the list of stores is damaged; `storesFull`.
    package func openStores(_ names: [String], create: Bool) throws(LMDBError) -> [Store] {
        let stores: [Store]
        do {
            stores = try openExistingStores(names)
        } catch {
            guard error.code == .noSuchStore, create, !options.readOnly else { throw error }
            stores = try write { (transaction: inout WriteTransaction) throws(LMDBError) in
                try transaction.createStores(names)
            }
        }
        pageAccess?.note(stores, names)
        return stores
    }

    /// Opens them without LMDB's write lock, so that it never waits for another process's writer. In the process it counts as the
    /// writer, because two transactions must not open stores at once.
    private func openExistingStores(_ names: [String]) throws(LMDBError) -> [Store] {
        try enterExclusive(.openStore)
        defer { gate.leaveWrite() }
        let transaction = unsafe try beginExclusive(UInt32(MDB_RDONLY))
        let stores: [Store]
        do {
            unsafe try checkMainTree(transaction)
            stores = unsafe try openAll(names, in: transaction, flags: 0, failure: failure)
        } catch {
            unsafe mdb_txn_abort(transaction)
            throw error
        }
        // Committing, and not aborting, keeps the stores open.
        let code = unsafe mdb_txn_commit(transaction)
        guard code == 0 else { throw failure(code, .openStore) }
        return stores
    }

    /// LMDB looks for the stores in the main tree and trusts its pages.
    @unsafe
    private func checkMainTree(_ transaction: OpaquePointer) throws(LMDBError) {
        guard let pageAccess else { return }
        let file = PageFile(descriptor: dataDescriptor, pageSize: pageAccess.pageSize)
        let number = unsafe mdb_txn_id(transaction)
        // Without locks LMDB uses the newer meta page, wherever it is. With locks it uses the page of this transaction's number,
        // which may have a newer state by now.
        guard let meta = file.meta(MetaPage.number(of: number)), !options.isImmutable || meta.transaction == number,
            PageAudit.isMainTreeSound(file, meta)
        else { throw failure(MDB_CORRUPTED, .openStore) }
    }
}

extension WriteTransaction {
    fileprivate mutating func createStores(_ names: [String]) throws(LMDBError) -> [Store] {
        unsafe try openAll(names, in: transaction, flags: UInt32(MDB_CREATE), failure: writer.failure)
    }
}

@unsafe
private func openAll(
    _ names: [String], in transaction: OpaquePointer, flags: UInt32,
    failure: (Int32, LMDBError.Operation) -> LMDBError
) throws(LMDBError) -> [Store] {
    var stores: [Store] = []
    for name in names {
        var dbi: UInt32 = 0
        let code = unsafe mdb_dbi_open(transaction, name, flags, &dbi)
        guard code == 0 else {
            throw failure(code == MDB_NOTFOUND ? LMDBErrorCode.noSuchStore.rawValue : code, .openStore)
        }
        stores.append(Store(dbi: dbi))
    }
    return stores
}
