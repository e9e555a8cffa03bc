// SPDX-License-Identifier: Apache-2.0

/// The blocks of collection IDs that loads have reserved and not published. A killed load leaves its block, and the
/// next load removes it.
enum UnfinishedLoads {
    static func read(_ transaction: inout Transaction) throws(EngineError) -> [Range<UInt64>] {
        let prefix = CatalogKey.unfinishedLoads
        var blocks: [Range<UInt64>] = []
        for record in try transaction.scan(prefix: prefix, of: .catalog) {
            var offset = prefix.count
            let first = try OrderedInteger.read(record.key.span.bytes, &offset)
            blocks.append(first..<first + (try OrderedInteger.read(record.value.span.bytes)))
        }
        return blocks
    }

    static func put(_ block: Range<UInt64>, _ transaction: inout Transaction) throws(EngineError) {
        let count = OrderedInteger.bytes(UInt64(block.count))
        try transaction.put(CatalogKey.unfinishedLoad(block.lowerBound), count, into: .catalog)
    }

    static func remove(_ block: Range<UInt64>, _ transaction: inout Transaction) throws(EngineError) {
        try transaction.delete(CatalogKey.unfinishedLoad(block.lowerBound), from: .catalog)
    }
}
