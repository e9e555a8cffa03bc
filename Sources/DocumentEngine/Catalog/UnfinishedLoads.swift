// SPDX-License-Identifier: Apache-2.0

/// The blocks of collection IDs that loads have reserved and not published. A killed load leaves its block, and the
/// next load removes it.
enum UnfinishedLoads {
    static func read(_ transaction: inout Transaction) throws(EngineError) -> [Range<UInt64>] {
        var blocks: [Range<UInt64>] = []
        for record in try transaction.scan(prefix: CatalogKey.unfinishedLoads, of: .catalog) {
            blocks.append(try block(record))
        }
        return blocks
    }

    /// The keys of damaged records.
    static func unreadable(_ transaction: inout Transaction) throws(EngineError) -> [[UInt8]] {
        try transaction.scan(prefix: CatalogKey.unfinishedLoads, of: .catalog).filter { (try? block($0)) == nil }
            .map(\.key)
    }

    private static func block(_ record: (key: [UInt8], value: [UInt8])) throws(EngineError) -> Range<UInt64> {
        let count = try CheckedRecord.content(of: record.value, key: record.key, "the record of a load")
        var offset = CatalogKey.unfinishedLoads.count
        let first = try OrderedInteger.read(record.key.span.bytes, &offset)
        return first..<first + (try OrderedInteger.read(count.span.bytes))
    }

    static func put(_ block: Range<UInt64>, _ transaction: inout Transaction) throws(EngineError) {
        let key = CatalogKey.unfinishedLoad(block.lowerBound)
        let count = OrderedInteger.bytes(UInt64(block.count))
        try transaction.put(key, CheckedRecord.bytes(count, key: key), into: .catalog)
    }

    static func remove(_ block: Range<UInt64>, _ transaction: inout Transaction) throws(EngineError) {
        try transaction.delete(CatalogKey.unfinishedLoad(block.lowerBound), from: .catalog)
    }
}
