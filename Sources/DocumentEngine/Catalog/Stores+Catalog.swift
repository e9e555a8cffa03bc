// SPDX-License-Identifier: Apache-2.0

internal import LMDB

extension Stores {
    /// The first records of the catalog store whose keys begin with `prefix`, in key order. They are copies, which outlive
    /// changes of the store.
    func catalogRecords(
        under prefix: [UInt8], limit: Int = .max, _ cursors: inout CursorSet
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        var records: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try KeyCursor(keyed(catalog), &cursors)
        var isFound = try cursor.seek(prefix.span.bytes, &cursors)
        while isFound, records.count < limit, startsWith(cursor.key(cursors), prefix.span.bytes) {
            records.append(([UInt8](copying: cursor.key(cursors)), [UInt8](copying: cursor.value(cursors))))
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
        return records
    }
}
