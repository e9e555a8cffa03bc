// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import Synchronization

/// The IDs of collections and automatic indexes in keys, which docs/format.md calls numbers. They are not Firestore's
/// collection IDs, which are the last segments of paths.
///
/// Only a repair changes or removes an ID, and none is reused. So committed IDs are cached until a repair. The cache is
/// bounded, because maps with user IDs as keys create indexes without bound.
final class IDTable: Sendable {
    private struct Cache: Sendable {
        var collectionIDs = RecentDictionary<CollectionPath, UInt64>()
        var indexIDs = RecentDictionary<FieldIndexKey, UInt64>()
        var verified = VerifiedCollections()
    }

    private static let capacity = 10_000

    /// The database's identity, as an object of this table's own: each record counts a reference to it.
    let database: DatabaseID
    private let cache = Mutex(Cache())
    private let padding = CacheLinePadding()

    init(of database: DatabaseID) {
        self.database = DatabaseID(project: database.project, database: database.database)
    }

    fileprivate func invalidate() { cache.withLock { $0 = Cache() } }

    /// The ID of a collection, or nil if no document was ever written into it.
    func collectionID(of path: CollectionPath, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = knownID(of: path) { return known }
        guard let id = try transaction.collectionID(of: path) else { return nil }
        note(path, id)
        return id
    }

    fileprivate func knownID(of path: CollectionPath) -> UInt64? { cache.withLock { $0.collectionIDs[path] } }

    fileprivate func note(_ path: CollectionPath, _ id: UInt64) {
        cache.withLock { cache in
            if cache.collectionIDs.all.count >= IDTable.capacity { cache.collectionIDs.removeAll() }
            cache.collectionIDs[path] = id
        }
    }

    /// The ID of an automatic index, or nil if it never had an entry.
    func indexID(of index: FieldIndexKey, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = cache.withLock({ $0.indexIDs[index] }) { return known }
        guard let id = try transaction.indexID(under: CatalogKey.fieldIndex(index)) else { return nil }
        cache.withLock { cache in
            if cache.indexIDs.all.count >= IDTable.capacity { cache.indexIDs.removeAll() }
            cache.indexIDs[index] = id
        }
        return id
    }

    func withVerified<R: Sendable>(_ body: (inout VerifiedCollections) -> R) -> R {
        cache.withLock { body(&$0.verified) }
    }
}

/// A table of IDs for each thread. What a thread reads counts references to its own table.
final class IDTables: Sendable {
    private let tables: [IDTable]

    init(of database: DatabaseID) {
        tables = (0..<ShardNumber.count).map { _ in IDTable(of: database) }
    }

    /// This thread's.
    var own: IDTable { ShardNumber.withOwn(of: tables) { $0 } }

    /// Must be called after a repair.
    func invalidate() { for table in tables { table.invalidate() } }

    /// The ID of a collection, if any thread has looked it up before.
    func knownID(of path: CollectionPath) -> UInt64? {
        if let known = own.knownID(of: path) { return known }
        for table in tables {
            guard let known = table.knownID(of: path) else { continue }
            own.note(path, known)
            return known
        }
        return nil
    }
}

/// Allocates IDs of collections and automatic indexes in one write transaction.
///
/// New IDs belong to this transaction alone until the commit, so they are not cached in ``IDTable``.
struct IDAllocator {
    /// Nil if nothing may be written. Then indexes without an ID get 0, which no entry has.
    private let catalog: LongKeyWriter?
    private(set) var collectionIDs = RecentDictionary<CollectionPath, UInt64>()

    /// An allocator that only looks up IDs.
    init() {
        catalog = nil
    }

    /// - Parameter collectionIDs: committed IDs of collections.
    init(
        cached collectionIDs: [CollectionPath: UInt64] = [:], _ transaction: inout Transaction
    ) throws(EngineError) {
        self.collectionIDs = RecentDictionary(collectionIDs)
        catalog = try LongKeyWriter(.catalog, &transaction)
    }

    /// The ID of a collection, or nil if it has none.
    mutating func existingCollectionID(of path: CollectionPath, _ transaction: borrowing Transaction)
        throws(EngineError) -> UInt64?
    {
        if let known = collectionIDs[path] { return known }
        guard let id = try transaction.collectionID(of: path) else { return nil }
        collectionIDs[path] = id
        return id
    }

    mutating func collectionID(
        of path: CollectionPath, _ transaction: inout Transaction
    ) throws(EngineError) -> UInt64 {
        if let existing = try existingCollectionID(of: path, transaction) { return existing }
        let id = try Counter(.collections).next(&transaction)
        try publish(path, id, &transaction)
        collectionIDs[path] = id
        return id
    }

    /// Records the ID of a new collection.
    func publish(_ path: CollectionPath, _ id: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        if let catalog { try CollectionRecord.put(path, id, catalog, &transaction) }
    }

    mutating func indexID(of index: FieldIndexKey, _ transaction: inout Transaction) throws(EngineError) -> UInt64 {
        let key = CatalogKey.fieldIndex(index)
        if let existing = try transaction.indexID(under: key) { return existing }
        guard let catalog else { return 0 }
        let id = try Counter(.fieldIndexes).next(&transaction)
        try catalog.put(key, OrderedInteger.bytes(id), &transaction)
        return id
    }
}

extension Transaction {
    /// The ID of a collection in the catalog, or nil.
    fileprivate borrowing func collectionID(of path: CollectionPath) throws(EngineError) -> UInt64? {
        let key = CatalogKey.collection(path)
        guard let record = try get(key.span.bytes, from: .catalog) else { return nil }
        return try CollectionRecord.collectionID(in: record, key: key.span.bytes)
    }

    /// The ID of an automatic index under its key in the catalog, or nil.
    fileprivate borrowing func indexID(under key: [UInt8]) throws(EngineError) -> UInt64? {
        guard let stored = try get(key.span.bytes, from: .catalog) else { return nil }
        return try OrderedInteger.read(stored)
    }
}
