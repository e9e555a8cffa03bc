// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import Synchronization

/// The IDs of collections and automatic indexes in keys, which docs/format.md calls numbers. They are not Firestore's
/// collection IDs, which are the last segments of paths.
///
/// Only a repair, a clear, a ``CollectionSweep`` and a ``FieldIndexSweep`` change or remove IDs, and all raise the version of the catalog,
/// perhaps in another process. None is given out again. So committed IDs are cached together with the version that a read has seen. The
/// cache is bounded, because maps with user IDs as keys create indexes without bound.
final class IDTable: Sendable {
    private struct Cache: Sendable {
        /// The version of the catalog to which everything else belongs.
        var catalogVersion: UInt64?
        /// The last commit whose catalog is known to have that version. A read of the same commit need not check it.
        var transactionID = -1
        var collectionIDs = RecentDictionary<CollectionPath, UInt64>()
        var indexIDs = RecentDictionary<FieldIndexKey, UInt64>()
        var verified = VerifiedCollections()

        mutating func follow(_ version: UInt64, _ transactionID: Int) {
            if catalogVersion != version { self = Cache(catalogVersion: version) }
            self.transactionID = transactionID
        }
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

    /// Empties the table if a read sees another version of the catalog.
    ///
    /// What a write sees may never be committed, so that the table is never that of its transaction.
    private func follow(_ transaction: borrowing Transaction) throws(EngineError) {
        let transactionID = transaction.id
        guard transaction.isReading, cache.withLock({ $0.transactionID != transactionID }) else { return }
        let version = try Counter(.catalogVersion).value(transaction)
        cache.withLock { $0.follow(version, transactionID) }
    }

    /// The ID of a collection, or nil if it has no documents, and no changes of which the history knows.
    func collectionID(of path: CollectionPath, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = try known(transaction, { $0.collectionIDs[path] }) { return known }
        guard let id = try transaction.collectionID(of: path) else { return nil }
        note(at: transaction.id) { $0.collectionIDs.add(id, for: path, capacity: IDTable.capacity) }
        return id
    }

    /// The ID of a collection, if it is in the table and the table is known to be that of a commit.
    fileprivate func knownID(of path: CollectionPath, at transactionID: Int) -> UInt64? {
        known(at: transactionID) { $0.collectionIDs[path] }
    }

    /// The ID of a collection, if it is in the table and the table is of this version of the catalog.
    fileprivate func knownID(of path: CollectionPath, inVersion version: UInt64) -> UInt64? {
        cache.withLock { $0.catalogVersion == version ? $0.collectionIDs[path] : nil }
    }

    /// - Parameters:
    ///   - version: of the catalog in which the collection has the ID.
    ///   - transactionID: of a commit with that version.
    fileprivate func note(_ path: CollectionPath, _ id: UInt64, inVersion version: UInt64, at transactionID: Int) {
        cache.withLock {
            $0.follow(version, transactionID)
            $0.collectionIDs.add(id, for: path, capacity: IDTable.capacity)
        }
    }

    /// The ID of an automatic index, or nil if it has no entry.
    func indexID(of index: FieldIndexKey, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = try known(transaction, { $0.indexIDs[index] }) { return known }
        guard let id = try transaction.indexID(under: CatalogKey.fieldIndex(index)) else { return nil }
        note(at: transaction.id) { $0.indexIDs.add(id, for: index, capacity: IDTable.capacity) }
        return id
    }

    /// What `find` finds in the table, after that is of the commit that a read sees.
    private func known(
        _ transaction: borrowing Transaction, _ find: (inout Cache) -> UInt64?
    ) throws(EngineError) -> UInt64? {
        let transactionID = transaction.id
        if let known = known(at: transactionID, find) { return known }
        try follow(transaction)
        return known(at: transactionID, find)
    }

    private func known(at transactionID: Int, _ find: (inout Cache) -> UInt64?) -> UInt64? {
        cache.withLock { $0.transactionID == transactionID ? find(&$0) : nil }
    }

    /// Adds to the table what a transaction has read. Another thread that shares the table may read another commit meanwhile.
    private func note(at transactionID: Int, _ add: (inout Cache) -> Void) {
        cache.withLock { if $0.transactionID == transactionID { add(&$0) } }
    }

    /// Runs `body` with the collections that were verified in the catalog of a transaction. What it adds is kept for later reads.
    func withVerified<R: Sendable>(
        _ transaction: borrowing Transaction, _ body: (inout VerifiedCollections) -> R
    ) throws(EngineError) -> R {
        try follow(transaction)
        let transactionID = transaction.id
        return cache.withLock { cache in
            guard cache.transactionID == transactionID else {
                var none = VerifiedCollections()
                return body(&none)
            }
            return body(&cache.verified)
        }
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

    /// Must be called after a repair, which may begin the versions of a damaged catalog anew.
    func invalidate() { for table in tables { table.invalidate() } }

    /// The ID of a collection, if any thread has looked it up before and that can be told without waiting for the disk.
    func knownID(of path: CollectionPath, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        let transactionID = transaction.id
        if let known = own.knownID(of: path, at: transactionID) { return known }
        let counter = Counter(.catalogVersion)
        guard try counter.isInMemory(transaction) else { return nil }
        let version = try counter.value(transaction)
        for table in tables {
            guard let known = table.knownID(of: path, inVersion: version) else { continue }
            own.note(path, known, inVersion: version, at: transactionID)
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
