// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

extension CursorSet {
    /// Adds entries behind the store's last one, as ``append(_:key:value:)`` does with each, and leaves the cursor past the end.
    ///
    /// LMDB's cursor stays at the last page meanwhile, so that it is not looked for again for each entry.
    ///
    /// - Parameters:
    ///   - bytes: what keys and values lie in.
    ///   - entry: where those of the n-th entry lie.
    /// - Returns: how many were added: fewer than `count` if the next key does not come after the last one.
    @_lifetime(self: copy self)
    package mutating func append(
        _ id: CursorID, _ count: Int, in bytes: RawSpan, entry: (Int) -> (key: Range<Int>, value: Range<Int>)
    ) throws(LMDBError) -> Int {
        checkOpen(id)
        requireWritable()
        rememberOthers(id)
        changes += 1
        unsafe storage.slots[id.slot].position = .pastEnd
        unsafe storage.slots[id.slot].isWorn = true
        let cursor = unsafe try openCursor(Store(dbi: storage.slots[id.slot].dbi))
        defer { unsafe mdb_cursor_close(cursor) }
        for index in 0..<count {
            let (key, value) = entry(index)
            unsafe storage.values[2 * id.slot] = lmdbValue(bytes.extracting(key))
            unsafe storage.values[2 * id.slot + 1] = lmdbValue(bytes.extracting(value))
            let code = unsafe mdb_cursor_put(
                cursor, storage.values + 2 * id.slot, storage.values + 2 * id.slot + 1, UInt32(MDB_APPEND))
            if code == MDB_KEYEXIST { return index }
            guard code == 0 else { throw writer.failure(code, .put) }
        }
        return count
    }
}
