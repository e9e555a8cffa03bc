// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import LMDB

/// Key ranges that no query reads: those of killed loads, of indexes that are being built, and of dropped indexes.
struct OrphanedRanges {
    /// The ranges of each store, in key order and without overlaps.
    private(set) var documents: [KeyRange] = []
    private(set) var fieldEntries: [KeyRange] = []
    private(set) var compositeEntries: [KeyRange] = []

    /// The ranges in which loads with these collection IDs may have written.
    init(
        ofLoads blocks: [Range<UInt64>], _ catalog: CatalogSnapshot, _ transaction: inout Transaction
    ) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let bounds = blocks.map {
            KeyRange(lower: OrderedInteger.bytes($0.lowerBound), upper: OrderedInteger.bytes($0.upperBound))
        }
        documents = OrphanedRanges.normalized(bounds)
        try FieldIndexKey.forEach(&transaction) { (index, indexID, _) throws(EngineError) in
            guard index.scope == .collection else { return }
            fieldEntries += OrphanedRanges.spans(bounds, after: OrderedInteger.bytes(indexID))
        }
        fieldEntries = OrphanedRanges.normalized(fieldEntries)
        for composite in catalog.composites {
            compositeEntries += OrphanedRanges.spans(bounds, after: composite.prefix(.collection))
        }
        compositeEntries = OrphanedRanges.normalized(compositeEntries)
    }

    /// All orphaned ranges.
    init(_ catalog: CatalogSnapshot, _ transaction: inout Transaction) throws(EngineError) {
        try self.init(ofLoads: UnfinishedLoads.read(&transaction), catalog, &transaction)
        let dropped = try CatalogRecords.dropped(&transaction)
        let building = catalog.composites.filter { $0.state == .building }.map(\.indexID)
        compositeEntries = OrphanedRanges.normalized(compositeEntries + (dropped + building).map { KeyRange(id: $0) })
        guard catalog.formerOverrides != nil else { return }
        try FieldIndexKey.forEach(&transaction) { (index, indexID, _) throws(EngineError) in
            if !FieldNode.isReady(index, catalog.indexes) { fieldEntries.append(KeyRange(id: indexID)) }
        }
        fieldEntries = OrphanedRanges.normalized(fieldEntries)
    }

    private static func spans(_ bounds: [KeyRange], after prefix: [UInt8]) -> [KeyRange] {
        bounds.map { KeyRange(lower: prefix + $0.lower, upper: prefix + $0.upper) }
    }

    private static func normalized(_ spans: [KeyRange]) -> [KeyRange] {
        var result: [KeyRange] = []
        for span in spans.sorted(by: { $0.lower.span.bytes.compare(to: $1.lower) < 0 }) {
            if let last = result.last, span.lower.span.bytes.compare(to: last.upper) < 0 {
                if span.upper.span.bytes.compare(to: last.upper) > 0 {
                    result[result.count - 1] = KeyRange(lower: last.lower, upper: span.upper)
                }
            } else {
                result.append(span)
            }
        }
        return result
    }
}

extension [KeyRange] {
    /// Whether one of the ranges, which are in key order, contains a key.
    func contains(_ key: RawSpan) -> Bool {
        let index = indices.partitioningIndex { key.compare(to: self[$0].upper) < 0 }
        return index < count && key.compare(to: self[index].lower) >= 0
    }
}

extension FieldIndexKey {
    /// Calls `body` for each automatic index that has an ID.
    static func forEach(
        _ transaction: inout Transaction,
        _ body: (FieldIndexKey, UInt64, inout Transaction) throws(EngineError) -> Void
    ) throws(EngineError) {
        var cursor = try LongKeyCursor(.catalog, &transaction)
        let prefix = CatalogKey.fieldIndexes
        var isFound = try cursor.seek(prefix.span.bytes, &transaction)
        while isFound, startsWith(cursor.key(transaction), prefix.span.bytes) {
            let index = try FieldIndexKey(decoding: [UInt8](copying: cursor.key(transaction)))
            try body(index, OrderedInteger.read(cursor.value(transaction)), &transaction)
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
    }
}
