// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText
internal import LMDB
internal import QueryPlanner

/// Ranges of keys that no query reads: what loads that were killed have left, indexes that are being built, and those that are
/// being removed.
struct Leftovers {
    /// In each store in key order, none within another.
    private(set) var documents: [KeyRange] = []
    private(set) var fieldEntries: [KeyRange] = []
    private(set) var compositeEntries: [KeyRange] = []

    /// What loads into these numbers of collections can have written.
    init(
        ofLoads blocks: [Range<UInt64>], _ stores: Stores, _ catalog: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let bounds = blocks.map {
            KeyRange(lower: OrderedInteger.bytes($0.lowerBound), upper: OrderedInteger.bytes($0.upperBound))
        }
        documents = Leftovers.normalized(bounds)
        try FieldIndexKey.forEach(stores, &cursors) { (index, number) throws(EngineError) in
            guard index.scope == .collection else { return }
            fieldEntries += Leftovers.spans(bounds, after: OrderedInteger.bytes(number))
        }
        fieldEntries = Leftovers.normalized(fieldEntries)
        for composite in catalog.composites {
            compositeEntries += Leftovers.spans(bounds, after: composite.prefix(.collection))
        }
        compositeEntries = Leftovers.normalized(compositeEntries)
    }

    /// Everything of that kind.
    init(_ stores: Stores, _ catalog: CatalogSnapshot, _ cursors: inout CursorSet) throws(EngineError) {
        try self.init(ofLoads: UnfinishedLoads(stores).read(&cursors), stores, catalog, &cursors)
        let dropped = try CatalogRecords(stores).dropped(&cursors)
        let building = catalog.composites.filter { $0.state == .building }.map(\.number)
        compositeEntries = Leftovers.normalized(compositeEntries + (dropped + building).map { KeyRange(number: $0) })
        guard catalog.formerOverrides != nil else { return }
        try FieldIndexKey.forEach(stores, &cursors) { (index, number) throws(EngineError) in
            if !FieldNode.isReady(index, catalog.indexes) { fieldEntries.append(KeyRange(number: number)) }
        }
        fieldEntries = Leftovers.normalized(fieldEntries)
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
    /// Whether a key lies in one of the ranges, which are in key order.
    func contains(_ key: RawSpan) -> Bool {
        let index = indices.partitioningIndex { key.compare(to: self[$0].upper) < 0 }
        return index < count && key.compare(to: self[index].lower) >= 0
    }
}

extension FieldIndexKey {
    /// Shows every automatic index that has a number.
    static func forEach(
        _ stores: Stores, _ cursors: inout CursorSet,
        _ body: (FieldIndexKey, UInt64) throws(EngineError) -> Void
    ) throws(EngineError) {
        var cursor = try KeyCursor(stores.keyed(stores.catalog), &cursors)
        let prefix = CatalogKey.fieldIndexes
        var isFound = try cursor.seek(prefix.span.bytes, &cursors)
        while isFound, startsWith(cursor.key(cursors), prefix.span.bytes) {
            let index = try FieldIndexKey(decoding: [UInt8](copying: cursor.key(cursors)))
            try body(index, OrderedInteger.read(cursor.value(cursors)))
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
    }
}
