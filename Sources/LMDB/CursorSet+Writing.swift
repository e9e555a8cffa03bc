// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// Changes through the cursors of a write transaction; in a read transaction's set they are programmer errors.
///
/// The other cursors of the set keep their entries. A cursor whose entry another cursor deletes is at no entry,
/// and its `next` and `previous` go on from that key.
extension CursorSet {
    /// Sets the value under `key` and leaves the cursor at that entry.
    @_lifetime(self: copy self)
    package mutating func put(
        _ id: CursorID, key: borrowing RawSpan, value: borrowing RawSpan
    ) throws(LMDBError) {
        checkOpen(id)
        requireWritable()
        changes += 1
        let code = putRaw(id, key, value)
        guard code == 0 else { throw writer.failure(code, .put) }
        unsafe storage.slots[id.slot].position = .atEntry
        readAgain(id)
    }

    /// Deletes the entry that the cursor is at; `next` then finds the one after it, `previous` the one before it.
    @_lifetime(self: copy self)
    package mutating func delete(_ id: CursorID) throws(LMDBError) {
        requireWritable()
        checkAtEntry(id)
        markDeleted(id)
        changes += 1
        let code = unsafe mdb_cursor_del(storage.slots[id.slot].cursor, 0)
        guard code == 0 else { throw writer.failure(code, .delete) }
        unsafe storage.slots[id.slot].readAt = changes
    }

    private var writer: Writer { unsafe unsafeDowncast(owner, to: Writer.self) }

    private borrowing func requireWritable() {
        require(owner.kind == .write, "A read transaction's cursors cannot change the database.")
    }

    private borrowing func putRaw(_ id: CursorID, _ key: borrowing RawSpan, _ value: borrowing RawSpan) -> Int32 {
        var key = unsafe lmdbValue(key)
        var value = unsafe lmdbValue(value)
        return unsafe mdb_cursor_put(storage.slots[id.slot].cursor, &key, &value, 0)
    }

    /// Marks every cursor at the entry: the one that deletes it last, because the others are compared with it.
    private borrowing func markDeleted(_ id: CursorID) {
        let dbi = unsafe storage.slots[id.slot].dbi
        for index in unsafe 0..<storage.count where index != id.slot {
            let slot = unsafe storage.slots[index]
            guard unsafe slot.dbi == dbi, unsafe slot.position == .atEntry else { continue }
            if compareBytes(key(CursorID(slot: index)), key(id)) == 0 { unsafe storage.markDeleted(index) }
        }
        unsafe storage.markDeleted(id.slot)
    }
}
