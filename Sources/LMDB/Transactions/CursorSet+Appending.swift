// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

// Many sorted entries at once. LMDB's cursor stays on the page of the last entry, which is usually the next one's page, too, so
// that LMDB does not search from the root each time.

extension CursorSet {
    /// Appends entries as ``append(_:key:value:)`` does and leaves the cursor past the end.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of all keys and values.
    ///   - entry: the ranges of the n-th entry's key and value in `bytes`.
    /// - Returns: how many entries were appended: fewer than `count` if the next key is not above the last one.
    package mutating func append(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(LMDBError) -> Int {
        let added = try putAll(id, count, in: bytes, flags: UInt32(MDB_APPEND), entry: entry)
        unsafe storage.slots[id.slot].position = .pastEnd
        return added
    }

    /// Puts entries as ``put(_:key:value:)`` does and leaves the cursor unplaced. Sorted keys are fastest.
    ///
    /// The parameters are those of ``append(_:_:in:entry:)``.
    package mutating func put(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(LMDBError) {
        _ = try putAll(id, count, in: bytes, flags: 0, entry: entry)
        unsafe storage.slots[id.slot].position = .unplaced
    }

    private mutating func putAll(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, flags: UInt32,
        entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(LMDBError) -> Int {
        checkOpen(id)
        requireWritable()
        rememberOthers(id)
        changes += count
        unsafe storage.slots[id.slot].isWorn = true
        let cursor = unsafe try openCursor(Store(dbi: storage.slots[id.slot].dbi))
        defer { unsafe mdb_cursor_close(cursor) }
        for index in 0..<count {
            let (key, value) = entry(index)
            unsafe storage.values[2 * id.slot] = lmdbValue(bytes.extracting(key))
            unsafe storage.values[2 * id.slot + 1] = lmdbValue(bytes.extracting(value))
            let code = unsafe mdb_cursor_put(
                cursor, storage.values + 2 * id.slot, storage.values + 2 * id.slot + 1, flags)
            if code == MDB_KEYEXIST { return index }
            guard code == 0 else { throw writer.failure(code, .put) }
        }
        return count
    }
}
