// SPDX-License-Identifier: Apache-2.0

internal import LMDB

/// A number kept in the catalog store that only grows.
package struct Counter: Sendable {
    private let catalog: Store
    private let key: [UInt8]

    enum Kind: UInt8 {
        /// Changes with every change of index definitions.
        case catalogVersion = 0
        case collections = 1
        case fieldIndexes = 2
        case composites = 3
        case runs = 4
        /// Microseconds since 1970 of the last commit.
        case commitTime = 5
        /// The version of the program's own data.
        case dataVersion = 6
    }

    init(_ kind: Kind, _ stores: Stores) {
        catalog = stores.catalog
        key = CatalogKey.counter(kind.rawValue)
    }

    func value(_ cursors: borrowing CursorSet) throws(EngineError) -> UInt64 {
        guard let stored = try cursors.lookUp(catalog, key.span.bytes) else { return 0 }
        return try OrderedInteger.read(stored)
    }

    func set(_ number: UInt64, _ cursors: inout CursorSet) throws(EngineError) {
        let cursor = try cursors.openCursor(catalog)
        let value = OrderedInteger.bytes(number)
        try cursors.putEntry(cursor, key.span.bytes, value.span.bytes)
        cursors.close(cursor)
    }

    /// The next number, from 1; it is never given again.
    func next(_ cursors: inout CursorSet) throws(EngineError) -> UInt64 {
        let number = try value(cursors) + 1
        try set(number, &cursors)
        return number
    }
}
