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

    /// Those of the ranges that have a key.
    mutating func rangesWithKeys(of ranges: [KeyRange], in store: StoreName) throws(EngineError) -> [KeyRange] {
        var cursor = try LongKeyCursor(store, &self)
        var found: [KeyRange] = []
        for range in ranges where try cursor.seek(range.lower.span.bytes, &self) {
            if cursor.key(self).compare(to: range.upper) < 0 { found.append(range) }
        }
        cursor.close(&self)
        return found
    }

    /// Deletes all keys of a range.
    mutating func delete(_ range: KeyRange, from store: StoreName) throws(EngineError) {
        var rest = [range]
        while !rest.isEmpty { rest = try delete(rest, from: store, limit: 10_000) }
    }

    /// Deletes the first keys of ranges, at most `limit` of them.
    ///
    /// - Returns: the ranges that may have more keys, from the next key on.
    mutating func delete(_ ranges: [KeyRange], from store: StoreName, limit: Int) throws(EngineError) -> [KeyRange] {
        var cursor = try LongKeyCursor(store, &self)
        var keys: [[UInt8]] = []
        var rest = ranges[...]
        while keys.count < limit, let range = rest.popFirst() {
            var isFound = try cursor.seek(range.lower.span.bytes, &self)
            while isFound, cursor.key(self).compare(to: range.upper) < 0 {
                let key = [UInt8](copying: cursor.key(self))
                guard keys.count < limit else {
                    rest = [KeyRange(lower: key, upper: range.upper)] + rest
                    break
                }
                keys.append(key)
                isFound = try cursor.next(&self)
            }
        }
        cursor.close(&self)
        let writer = try LongKeyWriter(store, &self)
        for key in keys { _ = try writer.delete(key, &self) }
        writer.close(&self)
        return Array(rest)
    }
}

extension KeyRange {
    /// All keys that begin with an ID.
    init(id: UInt64) {
        self.init(lower: OrderedInteger.bytes(id), upper: OrderedInteger.bytes(id + 1))
    }
}
