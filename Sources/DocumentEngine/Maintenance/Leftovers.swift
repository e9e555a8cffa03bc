// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Ranges of keys that no query reads: what loads that were killed have left, indexes that are being built, and those that are
/// being removed.
struct Leftovers {
    /// Keys from `lower` up to `upper`.
    struct Span {
        let lower: [UInt8]
        let upper: [UInt8]

        init(lower: [UInt8], upper: [UInt8]) {
            self.lower = lower
            self.upper = upper
        }

        /// All keys that begin with a number.
        init(_ number: UInt64) {
            self.init(lower: OrderedInteger.bytes(number), upper: OrderedInteger.bytes(number + 1))
        }
    }

    /// In each store in key order, none within another.
    private(set) var documents: [Span] = []
    private(set) var fieldEntries: [Span] = []
    private(set) var compositeEntries: [Span] = []

    /// What loads into these numbers of collections can have written.
    @_lifetime(cursors: copy cursors)
    init(
        ofLoads blocks: [Range<UInt64>], _ stores: Stores, _ catalog: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let bounds = blocks.map {
            Span(lower: OrderedInteger.bytes($0.lowerBound), upper: OrderedInteger.bytes($0.upperBound))
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
    @_lifetime(cursors: copy cursors)
    init(_ stores: Stores, _ catalog: CatalogSnapshot, _ cursors: inout CursorSet) throws(EngineError) {
        try self.init(ofLoads: UnfinishedLoads(stores).read(&cursors), stores, catalog, &cursors)
        let dropped = try CatalogRecords(stores).dropped(&cursors)
        let building = catalog.composites.filter { $0.state == .building }.map(\.number)
        compositeEntries = Leftovers.normalized(compositeEntries + (dropped + building).map { Span($0) })
        guard catalog.formerOverrides != nil else { return }
        try FieldIndexKey.forEach(stores, &cursors) { (index, number) throws(EngineError) in
            if !FieldNode.isReady(index, catalog.indexes) { fieldEntries.append(Span(number)) }
        }
        fieldEntries = Leftovers.normalized(fieldEntries)
    }

    private static func spans(_ bounds: [Span], after prefix: [UInt8]) -> [Span] {
        bounds.map { Span(lower: prefix + $0.lower, upper: prefix + $0.upper) }
    }

    private static func normalized(_ spans: [Span]) -> [Span] {
        var result: [Span] = []
        for span in spans.sorted(by: { $0.lower.span.bytes.compare(to: $1.lower) < 0 }) {
            if let last = result.last, span.lower.span.bytes.compare(to: last.upper) < 0 {
                if span.upper.span.bytes.compare(to: last.upper) > 0 {
                    result[result.count - 1] = Span(lower: last.lower, upper: span.upper)
                }
            } else {
                result.append(span)
            }
        }
        return result
    }
}

extension [Leftovers.Span] {
    /// Whether a key lies in one of the spans.
    func contains(_ key: RawSpan) -> Bool {
        guard !isEmpty else { return false }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if key.compare(to: self[middle].upper) < 0 { high = middle } else { low = middle + 1 }
        }
        return low < count && key.compare(to: self[low].lower) >= 0
    }
}

extension FieldIndexKey {
    /// Shows every automatic index that has a number.
    @_lifetime(cursors: copy cursors)
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
