// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// How the cursors of a write transaction find their entries again after a change.

extension CursorSet {
    /// Updates the slot's values after a change through the set.
    @inline(never)
    borrowing func readAgain(_ id: CursorID) {
        switch unsafe storage.slots[id.slot].position {
        case .remembered: readByKey(id)
        case .atEntry:
            // Only other stores changed. The entry is the same, but its page may have been copied or freed.
            find(id, MDB_GET_CURRENT)
        default: break
        }
    }

    /// Reads the entry by its key after a change of its store. It uses no cursor: opening one can fail, and reading the key and
    /// value of an entry cannot.
    private borrowing func readByKey(_ id: CursorID) {
        let values = unsafe storage.values + 2 * id.slot
        checkFound(unsafe mdb_get(transaction, storage.slots[id.slot].dbi, values, values + 1))
        unsafe storage.slots[id.slot].readAt = changes
    }

    /// Moves the cursor back to its entry after a change of its store.
    borrowing func findAgain(_ id: CursorID) throws(LMDBError) {
        try reopen(id)
        find(id, MDB_SET_KEY)
        unsafe storage.slots[id.slot].position = .atEntry
    }

    borrowing func reopen(_ id: CursorID) throws(LMDBError) {
        let slot = unsafe storage.slots + id.slot
        let cursor = unsafe try openCursor(Store(dbi: slot.pointee.dbi))
        unsafe slot.pointee.cursor.map { unsafe mdb_cursor_close($0) }
        unsafe slot.pointee.cursor = cursor
        unsafe slot.pointee.isWorn = false
    }

    private borrowing func find(_ id: CursorID, _ operation: MDB_cursor_op) {
        let values = unsafe storage.values + 2 * id.slot
        checkFound(unsafe mdb_cursor_get(storage.slots[id.slot].cursor, values, values + 1, operation))
        unsafe storage.slots[id.slot].readAt = changes
    }

    private borrowing func checkFound(_ code: Int32) {
        require(code == 0, "The entry under a cursor was lost, which is a defect of this library or of LMDB.")
    }

    @unsafe
    borrowing func openCursor(_ store: Store) throws(LMDBError) -> OpaquePointer {
        var cursor: OpaquePointer?
        let code = unsafe mdb_cursor_open(transaction, store.dbi, &cursor)
        guard code == 0, let cursor = unsafe cursor else { throw LMDBError(code, .openCursor) }
        return unsafe cursor
    }
}
