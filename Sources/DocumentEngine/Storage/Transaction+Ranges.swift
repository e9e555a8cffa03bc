// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension Transaction {
    /// A copy of the value under a key, or nil.
    borrowing func copy(of key: [UInt8], in store: StoreName) throws(EngineError) -> [UInt8]? {
        guard let value = try get(key.span.bytes, from: store) else { return nil }
        return [UInt8](copying: value)
    }

    /// Copies of the first entries of a range, in key order. They stay valid when the store changes.
    mutating func scan(
        _ range: KeyRange, of store: StoreName, limit: Int
    ) throws(EngineError) -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        var cursor = try LongKeyCursor(store, &self)
        var isFound = try cursor.seek(range.lower.span.bytes, &self)
        while isFound, entries.count < limit, cursor.key(self).compare(to: range.upper) < 0 {
            entries.append(([UInt8](copying: cursor.key(self)), [UInt8](copying: cursor.value(self))))
            isFound = try cursor.next(&self)
        }
        cursor.close(&self)
        return entries
    }

    /// Deletes all keys of a range.
    mutating func delete(_ range: KeyRange, from store: StoreName) throws(EngineError) {
        var next: [UInt8]? = range.lower
        while let start = next {
            next = try delete(KeyRange(lower: start, upper: range.upper), from: store, limit: 10_000)
        }
    }

    /// Deletes the first keys of a range, at most `limit` of them.
    ///
    /// - Returns: the next key of the range, or nil if there is none.
    mutating func delete(_ range: KeyRange, from store: StoreName, limit: Int) throws(EngineError) -> [UInt8]? {
        var cursor = try LongKeyCursor(store, &self)
        var keys: [[UInt8]] = []
        var isFound = try cursor.seek(range.lower.span.bytes, &self)
        while isFound, keys.count <= limit, cursor.key(self).compare(to: range.upper) < 0 {
            keys.append([UInt8](copying: cursor.key(self)))
            isFound = try cursor.next(&self)
        }
        cursor.close(&self)
        let writer = try LongKeyWriter(store, &self)
        for key in keys.prefix(limit) { _ = try writer.delete(key, &self) }
        writer.close(&self)
        return keys.count > limit ? keys[limit] : nil
    }
}

extension KeyRange {
    /// All keys that begin with an ID.
    init(id: UInt64) {
        self.init(lower: OrderedInteger.bytes(id), upper: OrderedInteger.bytes(id + 1))
    }
}
