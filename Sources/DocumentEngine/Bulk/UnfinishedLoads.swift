// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// The records of collection numbers that a load has reserved and not published: what a load that was killed leaves, until the
/// next one removes it.
struct UnfinishedLoads {
    private let stores: Stores

    init(_ stores: Stores) {
        self.stores = stores
    }

    func read(_ cursors: inout CursorSet) throws(EngineError) -> [Range<UInt64>] {
        let prefix = CatalogKey.unfinishedLoads
        var blocks: [Range<UInt64>] = []
        for record in try stores.catalogRecords(under: prefix, &cursors) {
            var offset = prefix.count
            let first = try OrderedInteger.read(record.key.span.bytes, &offset)
            blocks.append(first..<first + (try OrderedInteger.read(record.value.span.bytes)))
        }
        return blocks
    }

    func put(_ block: Range<UInt64>, _ cursors: inout CursorSet) throws(EngineError) {
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        try writer.put(
            CatalogKey.unfinishedLoad(block.lowerBound), OrderedInteger.bytes(UInt64(block.count)), &cursors)
    }

    func remove(_ block: Range<UInt64>, _ cursors: inout CursorSet) throws(EngineError) {
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        _ = try writer.delete(CatalogKey.unfinishedLoad(block.lowerBound), &cursors)
    }
}
