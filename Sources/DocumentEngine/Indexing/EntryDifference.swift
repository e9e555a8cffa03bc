// SPDX-License-Identifier: Apache-2.0

/// Applies removed and added entries to a store in key order. Leaves entries that are both unchanged.
enum EntryDifference {
    /// Sorts both buffers, applies them, and empties them.
    static func apply(
        removing removed: inout EntryBuffer, adding added: inout EntryBuffer, _ writer: LongKeyWriter,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        removed.sort()
        added.sort()
        try apply(removingSorted: removed, addingSorted: added, writer, &transaction)
        removed.removeAll()
        added.removeAll()
    }

    static func apply(
        removingSorted removed: EntryBuffer, addingSorted added: EntryBuffer, _ writer: LongKeyWriter,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        var next = 0
        for index in removed.entries.indices {
            while next < added.entries.count, added.compareKey(next, removed, index) < 0 {
                try put(added, next, writer, &transaction)
                next += 1
            }
            if next < added.entries.count, added.compareKey(next, removed, index) == 0 {
                if !added.hasSameValue(next, removed, index) { try put(added, next, writer, &transaction) }
                next += 1
            } else {
                let key = removed.bytes.span.bytes.extracting(removed.key(index))
                guard try writer.delete(key, &transaction) else { throw .damaged("an index entry is missing") }
            }
        }
        try writer.put(added, next..<added.entries.count, &transaction)
    }

    private static func put(
        _ buffer: EntryBuffer, _ index: Int, _ writer: LongKeyWriter, _ transaction: inout Transaction
    ) throws(EngineError) {
        let bytes = buffer.bytes.span.bytes
        try writer.put(bytes.extracting(buffer.key(index)), bytes.extracting(buffer.value(index)), &transaction)
    }
}
