// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The new collections of a load. No catalog record names their IDs before the load's last commit, so readers see none
/// of their documents earlier.
struct StagedCollections {
    private let scheduler: TransactionScheduler
    private let catalog: CatalogSnapshot
    /// IDs that are reserved but not used.
    private var free: Range<UInt64> = 0..<0
    private(set) var reserved: [Range<UInt64>] = []
    private(set) var collectionIDs: [CollectionPath: UInt64] = [:]
    /// Some of the collections that cannot be staged, because they exist or their group has indexes over all its
    /// collections.
    private var others: Set<CollectionPath> = []
    private var groups: [Text: Bool] = [:]

    /// Limits the last commit and the memory.
    private static let limit = 50_000

    init(_ scheduler: TransactionScheduler, _ catalog: CatalogSnapshot) {
        self.scheduler = scheduler
        self.catalog = catalog
    }

    /// The unpublished ID of a new collection, or nil if its documents must be loaded in ordinary commits.
    mutating func collectionID(of path: CollectionPath) throws(EngineError) -> UInt64? {
        if let known = collectionIDs[path] { return known }
        guard collectionIDs.count < StagedCollections.limit, !others.contains(path) else { return nil }
        guard try canStage(path) else {
            if others.count >= StagedCollections.limit { others.removeAll() }
            others.insert(path)
            return nil
        }
        if free.isEmpty { free = try reserve(reserved.isEmpty ? 1 : min(1_000, 16 * collectionIDs.count)) }
        let collectionID = free.removeFirst()
        collectionIDs[path] = collectionID
        return collectionID
    }

    /// A group with an index over all its collections cannot be staged, because the entries would be visible before
    /// their documents.
    private mutating func canStage(_ path: CollectionPath) throws(EngineError) -> Bool {
        let hasGroupIndexes = groups[path.group] ?? hasGroupIndexes(path.group)
        groups[path.group] = hasGroupIndexes
        guard !hasGroupIndexes else { return false }
        return try scheduler.read { (transaction) throws(EngineError) in
            try scheduler.idTables.own.collectionID(of: path, transaction) == nil
        }
    }

    private func hasGroupIndexes(_ group: Text) -> Bool {
        let indexes = catalog.indexes
        return indexes.composites(of: group).contains { $0.definition.scope == .collectionGroup }
            || indexes.fieldOverrides.contains { override in
                override.mayConcern(group) && override.indexes.contains { $0.scope == .collectionGroup }
            }
    }

    private mutating func reserve(_ count: Int) throws(EngineError) -> Range<UInt64> {
        let block = try scheduler.write { (transaction, _, _) throws(EngineError) in
            let counter = Counter(.collections)
            let first = try counter.value(transaction) + 1
            let block = first..<first + UInt64(count)
            try counter.set(block.upperBound - 1, &transaction)
            try UnfinishedLoads.put(block, &transaction)
            return block
        }
        reserved.append(block)
        return block
    }
}
