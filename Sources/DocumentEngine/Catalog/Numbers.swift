// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import Synchronization

/// The numbers that stand for collections and automatic indexes in keys.
///
/// A number once given is never changed, given again or taken away but by a repair, so what has been read of a committed state is
/// remembered until one; the memory is bounded, for maps with user IDs as keys make such numbers without bound.
final class Numbers: Sendable {
    private struct Memory {
        var collections = RecentDictionary<CollectionPath, UInt64>()
        var fieldIndexes: [FieldIndexKey: UInt64] = [:]
    }

    private static let capacity = 10_000

    private let memory = Mutex(Memory())

    /// After a repair.
    func forget() { memory.withLock { $0 = Memory() } }

    /// The number of a collection; nil if no document was ever written into it.
    func collection(_ path: CollectionPath, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = memory.withLock({ $0.collections[path] }) { return known }
        guard let number = try transaction.collectionNumber(path) else { return nil }
        memory.withLock { memory in
            if memory.collections.all.count >= Numbers.capacity { memory.collections.removeAll() }
            memory.collections[path] = number
        }
        return number
    }

    /// The number of an automatic index; nil if it never had an entry.
    func fieldIndex(_ index: FieldIndexKey, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        if let known = memory.withLock({ $0.fieldIndexes[index] }) { return known }
        guard let number = try read(CatalogKey.fieldIndex(index), transaction) else { return nil }
        memory.withLock { memory in
            if memory.fieldIndexes.count >= Numbers.capacity { memory.fieldIndexes.removeAll(keepingCapacity: true) }
            memory.fieldIndexes[index] = number
        }
        return number
    }

    private func read(_ key: [UInt8], _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        guard let stored = try transaction.get(key.span.bytes, from: .catalog) else { return nil }
        return try OrderedInteger.read(stored)
    }
}

/// Gives numbers to collections and automatic indexes inside one write transaction.
///
/// What it gives is known to this transaction alone until the commit, so it is not remembered in ``Numbers``.
struct NumberGiver {
    /// Nil where nothing may be written: what has no number then gets 0, which no entry has.
    private let catalog: KeyedWriter?
    private(set) var collections = RecentDictionary<CollectionPath, UInt64>()

    /// Only looks numbers up.
    init() {
        catalog = nil
    }

    /// - Parameter collections: the numbers of collections that are known to be committed.
    init(
        knowing collections: [CollectionPath: UInt64] = [:], _ transaction: inout Transaction
    ) throws(EngineError) {
        self.collections = RecentDictionary(collections)
        catalog = try KeyedWriter(.catalog, &transaction)
    }

    /// The number of a collection that has one.
    mutating func existing(_ path: CollectionPath, _ transaction: borrowing Transaction) throws(EngineError) -> UInt64?
    {
        if let known = collections[path] { return known }
        guard let number = try transaction.collectionNumber(path) else { return nil }
        collections[path] = number
        return number
    }

    mutating func collection(_ path: CollectionPath, _ transaction: inout Transaction) throws(EngineError) -> UInt64 {
        if let existing = try existing(path, transaction) { return existing }
        let number = try Counter(.collections).next(&transaction)
        try publish(path, number, &transaction)
        collections[path] = number
        return number
    }

    /// Gives a collection that has no number this one.
    func publish(_ path: CollectionPath, _ number: UInt64, _ transaction: inout Transaction) throws(EngineError) {
        if let catalog { try CollectionRecord.put(path, number, catalog, &transaction) }
    }

    mutating func fieldIndex(_ index: FieldIndexKey, _ transaction: inout Transaction) throws(EngineError) -> UInt64 {
        let key = CatalogKey.fieldIndex(index)
        if let existing = try read(key, transaction) { return existing }
        guard catalog != nil else { return 0 }
        let number = try Counter(.fieldIndexes).next(&transaction)
        try catalog?.put(key, OrderedInteger.bytes(number), &transaction)
        return number
    }

    private func read(_ key: [UInt8], _ transaction: borrowing Transaction) throws(EngineError) -> UInt64? {
        guard let stored = try transaction.get(key.span.bytes, from: .catalog) else { return nil }
        return try OrderedInteger.read(stored)
    }
}

extension Transaction {
    /// The number that the catalog has for a collection.
    fileprivate borrowing func collectionNumber(_ path: CollectionPath) throws(EngineError) -> UInt64? {
        let key = CatalogKey.collection(path)
        guard let record = try get(key.span.bytes, from: .catalog) else { return nil }
        return try CollectionRecord.number(record, key: key.span.bytes)
    }
}
