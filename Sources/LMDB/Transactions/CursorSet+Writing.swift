// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Changes through the cursors of a write transaction. In a read transaction they are programmer errors.
///
/// The other cursors of the set keep their entries. A cursor whose entry another cursor deletes is at no entry; its `next` and
/// `previous` continue from that key, and `next` finds the key itself if it was put again.
extension CursorSet {
    /// Puts a value under `key` and leaves the cursor at that entry.
    package mutating func put(
        _ id: CursorID, key: borrowing RawSpan, value: borrowing RawSpan
    ) throws(LMDBError) {
        checkOpen(id)
        requireWritable()
        rememberOthers(id)
        changes += 1
        let code = putRaw(id, key, value)
        guard code == 0 else { throw writer.failure(code, .put) }
        unsafe storage.values[2 * id.slot] = lmdbValue(key)
        unsafe storage.keepKey(id.slot, as: .remembered)
        unsafe storage.slots[id.slot].isWorn = true
    }

    /// Appends an entry after the store's last one and leaves the cursor past the end. Faster than ``put(_:key:value:)``, and
    /// pages get fuller.
    ///
    /// - Returns: `false`, without a change, if `key` is not above the last key.
    package mutating func append(
        _ id: CursorID, key: borrowing RawSpan, value: borrowing RawSpan
    ) throws(LMDBError) -> Bool {
        checkOpen(id)
        requireWritable()
        rememberOthers(id)
        changes += 1
        let code = putRaw(id, key, value, flags: UInt32(MDB_APPEND))
        unsafe storage.slots[id.slot].position = .pastEnd
        unsafe storage.slots[id.slot].isWorn = true
        if code == MDB_KEYEXIST { return false }
        guard code == 0 else { throw writer.failure(code, .put) }
        return true
    }

    /// Deletes the cursor's entry. `next` then finds the entry after it, `previous` the one before it.
    package mutating func delete(_ id: CursorID) throws(LMDBError) {
        requireWritable()
        checkAtEntry(id)
        if unsafe storage.slots[id.slot].position == .remembered { try findAgain(id) }
        markDeleted(id)
        rememberOthers(id)
        changes += 1
        let code = unsafe mdb_cursor_del(storage.slots[id.slot].cursor, 0)
        guard code == 0 else { throw writer.failure(code, .delete) }
        unsafe storage.slots[id.slot].readAt = changes
        unsafe storage.slots[id.slot].isWorn = true
    }

    /// Deletes the entry under exactly this key and leaves the cursor unplaced. Faster than a seek and ``delete(_:)``.
    ///
    /// - Returns: `false` if there is none.
    package mutating func delete(_ id: CursorID, key: borrowing RawSpan) throws(LMDBError) -> Bool {
        checkOpen(id)
        requireWritable()
        unsafe storage.slots[id.slot].position = .unplaced
        guard key.byteCount > 0 else { return false }
        unsafe storage.values[2 * id.slot] = lmdbValue(key)
        markOthersDeleted(id)
        rememberOthers(id)
        changes += 1
        unsafe storage.slots[id.slot].isWorn = true
        let code = unsafe mdb_del(transaction, storage.slots[id.slot].dbi, storage.values + 2 * id.slot, nil)
        guard code == 0 || code == MDB_NOTFOUND else { throw writer.failure(code, .delete) }
        return code == 0
    }

    /// Deletes every entry of the store. No cursor may be open on it.
    package mutating func empty(_ store: Store) throws(LMDBError) {
        requireWritable()
        for index in unsafe 0..<storage.count {
            let slot = unsafe storage.slots[index]
            let isOpen = unsafe slot.dbi == store.dbi && slot.position != .closed
            require(!isOpen, "A store was emptied under an open cursor.")
        }
        changes += 1
        let code = unsafe mdb_drop(transaction, store.dbi, 0)
        guard code == 0 else { throw writer.failure(code, .empty) }
    }

    /// Lets LMDB allocate the pages of this transaction and the following ones beside each other in the file, which makes commits
    /// faster and the file larger (see `PagePlacement.swift`). Call it before the first change.
    ///
    /// It helps groups of small changes all over the database, whose time is mostly the device's. It does not help a few changes,
    /// nor so many that nearly every page changes.
    package mutating func placePages() throws(LMDBError) {
        requireWritable()
        guard let placement = writer.placement else { return }
        writer.placesPages = true
        let code = unsafe placement.prepare(transaction)
        guard code == 0 else { throw writer.failure(code, .put) }
    }

    borrowing func requireWritable() {
        require(kind == .write, "A read transaction's cursors cannot change the database.")
    }

    private borrowing func putRaw(
        _ id: CursorID, _ key: borrowing RawSpan, _ value: borrowing RawSpan, flags: UInt32 = 0
    ) -> Int32 {
        var key = unsafe lmdbValue(key)
        var value = unsafe lmdbValue(value)
        return unsafe mdb_put(transaction, storage.slots[id.slot].dbi, &key, &value, flags)
    }

    /// Marks every cursor at the entry as deleted. The deleting one comes last, because the others are compared with it.
    private borrowing func markDeleted(_ id: CursorID) {
        markOthersDeleted(id)
        unsafe storage.keepKey(id.slot, as: .deleted)
    }

    /// Marks the other cursors at the entry with the slot's key as deleted.
    private borrowing func markOthersDeleted(_ id: CursorID) {
        for index in unsafe 0..<storage.count where index != id.slot && sharesStore(index, id) {
            let other = CursorID(slot: index)
            if isAtEntry(other), compareBytes(key(other), unsafe RawSpan(storage.values[2 * id.slot])) == 0 {
                unsafe storage.keepKey(index, as: .deleted)
                unsafe storage.slots[index].readAt = -1
            }
        }
    }

    /// Has the store's other cursors remember their keys, by which they find their entries after the change.
    borrowing func rememberOthers(_ id: CursorID) {
        for index in unsafe 0..<storage.count where index != id.slot && sharesStore(index, id) {
            unsafe storage.slots[index].isWorn = true
            guard unsafe storage.slots[index].position == .atEntry else { continue }
            checkAtEntry(CursorID(slot: index))
            unsafe storage.keepKey(index, as: .remembered)
        }
    }

    private borrowing func sharesStore(_ index: Int, _ id: CursorID) -> Bool {
        let (one, other) = unsafe (storage.slots[index], storage.slots[id.slot])
        return unsafe one.position != .closed && one.dbi == other.dbi
    }
}
