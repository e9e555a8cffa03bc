// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Ranges of keys that nobody reads: what work that was killed has left, to be removed by the next such work.
struct Leftovers {
    /// Keys from `lower` up to `upper`.
    struct Span {
        let lower: [UInt8]
        let upper: [UInt8]
    }

    /// In each store in key order.
    private(set) var documents: [Span] = []
    private(set) var fieldEntries: [Span] = []
    private(set) var compositeEntries: [Span] = []

    /// What loads into these numbers of collections can have written.
    @_lifetime(cursors: copy cursors)
    init(
        ofLoads blocks: [Range<UInt64>], _ stores: Stores, _ catalog: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        guard !blocks.isEmpty else { return }
        let bounds = blocks.sorted { $0.lowerBound < $1.lowerBound }.map {
            Span(lower: OrderedInteger.bytes($0.lowerBound), upper: OrderedInteger.bytes($0.upperBound))
        }
        documents = bounds
        for index in try Leftovers.collectionScopeIndexes(stores, &cursors).sorted() {
            fieldEntries += Leftovers.spans(bounds, after: OrderedInteger.bytes(index))
        }
        for composite in catalog.composites.sorted(by: { $0.number < $1.number }) {
            compositeEntries += Leftovers.spans(bounds, after: composite.prefix(.collection))
        }
    }

    private static func spans(_ bounds: [Span], after prefix: [UInt8]) -> [Span] {
        bounds.map { Span(lower: prefix + $0.lower, upper: prefix + $0.upper) }
    }

    /// The numbers of the automatic indexes in whose keys a collection's number follows.
    @_lifetime(cursors: copy cursors)
    private static func collectionScopeIndexes(
        _ stores: Stores, _ cursors: inout CursorSet
    ) throws(EngineError) -> [UInt64] {
        var numbers: [UInt64] = []
        var cursor = try KeyCursor(stores.keyed(stores.catalog), &cursors)
        let prefix = CatalogKey.fieldIndexes
        var isFound = try cursor.seek(prefix.span.bytes, &cursors)
        while isFound, startsWith(cursor.key(cursors), prefix.span.bytes) {
            let index = try FieldIndexKey(decoding: [UInt8](copying: cursor.key(cursors)))
            if index.scope == .collection { numbers.append(try OrderedInteger.read(cursor.value(cursors))) }
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
        return numbers
    }
}

extension [Leftovers.Span] {
    /// Whether a key lies in one of the spans, which are in order.
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
