// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Finds index entries that belong to no index or to no document, and tells them in words.
struct StrayFinder {
    private let stores: Stores
    private let catalog: CatalogSnapshot
    private let collections: [UInt64: CollectionPath]
    private(set) var found: [String] = []

    private static let maximum = 20

    init(_ stores: Stores, _ catalog: CatalogSnapshot, _ collections: [UInt64: CollectionPath]) {
        self.stores = stores
        self.catalog = catalog
        self.collections = collections
    }

    @_lifetime(cursors: copy cursors)
    mutating func find(_ store: Store, _ cursors: inout CursorSet) throws(EngineError) {
        let isComposite = store == stores.compositeEntries
        var cursor = try KeyCursor(stores.keyed(store), &cursors)
        var isFound = try cursor.seek([UInt8]().span.bytes, &cursors)
        while isFound, found.count < StrayFinder.maximum {
            let key = [UInt8](copying: cursor.key(cursors))
            if let problem = problem(key, isComposite: isComposite, cursors) { found.append(problem) }
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
    }

    /// What is wrong with an entry by itself; nil where its index and its document exist.
    private func problem(_ key: [UInt8], isComposite: Bool, _ cursors: borrowing CursorSet) -> String? {
        var offset = 0
        guard let index = try? OrderedInteger.read(key.span.bytes, &offset) else {
            return "an index entry has no number"
        }
        if isComposite, !catalog.composites.contains(where: { $0.number == index }) {
            return "an entry stands under composite index number \(index), which is not defined"
        }
        return nil
    }
}
