// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog
internal import LMDB
package import QueryPlanner
internal import Synchronization

/// A composite index and its index ID.
package struct StoredComposite: Sendable, Hashable {
    package let indexID: UInt64
    package let definition: IndexDefinition
    package let state: IndexState
    private let prefixes: [[UInt8]]

    init(indexID: UInt64, definition: IndexDefinition, state: IndexState) {
        self.indexID = indexID
        self.definition = definition
        self.state = state
        prefixes = [0, 1].map { OrderedInteger.bytes(indexID) + [$0] }
    }

    /// The key prefix of its entries in a scope.
    func prefix(_ scope: QueryScope) -> [UInt8] { prefixes[scope == .collection ? 0 : 1] }
}

/// The index definitions as one transaction sees them. A class, because each query retains it.
package final class CatalogSnapshot: Sendable {
    package let version: UInt64
    package let indexes: IndexCatalog
    package let composites: [StoredComposite]
    /// The field overrides that are being replaced, until the indexes are built and removed.
    let formerOverrides: [FieldOverride]?
    /// Queries prepared for these indexes.
    package let plans: PlanCache
    private let byGroup: [Text: [StoredComposite]]
    /// Those of groups with so many that hashing a definition costs less than comparing it with all.
    private let byDefinition: [IndexDefinition: StoredComposite]
    private static let many = 32

    init(
        version: UInt64, composites: [StoredComposite], fieldOverrides: [FieldOverride],
        formerOverrides: [FieldOverride]? = nil
    ) {
        self.version = version
        self.composites = composites
        self.formerOverrides = formerOverrides
        plans = PlanCache()
        indexes = IndexCatalog(
            composites: composites.map { IndexCatalog.Composite($0.definition, state: $0.state) },
            fieldOverrides: fieldOverrides, formerOverrides: formerOverrides)
        byGroup = Dictionary(grouping: composites, by: \.definition.collectionGroup)
        let large = byGroup.values.filter { $0.count > CatalogSnapshot.many }.joined()
        byDefinition = Dictionary(large.map { ($0.definition, $0) }) { first, _ in first }
    }

    /// The same definitions as an object of their own.
    fileprivate init(_ other: CatalogSnapshot, version: UInt64, plans: PlanCache) {
        self.version = version
        self.plans = plans
        indexes = other.indexes
        composites = other.composites
        formerOverrides = other.formerOverrides
        byGroup = other.byGroup
        byDefinition = other.byDefinition
    }

    /// This object's definitions as one of its own, with plans of its own.
    fileprivate func copy() -> CatalogSnapshot { CatalogSnapshot(self, version: version, plans: PlanCache()) }

    /// What a thread that knows this version takes for another one. The plans of the thread depend on definitions alone, so that they
    /// stay where a sweep or a clear has only removed numbers.
    fileprivate func followed(by other: CatalogSnapshot) -> CatalogSnapshot {
        guard hasDefinitions(of: other) else { return other.copy() }
        return CatalogSnapshot(self, version: other.version, plans: plans)
    }

    private func hasDefinitions(of other: CatalogSnapshot) -> Bool {
        composites == other.composites && formerOverrides == other.formerOverrides
            && indexes.fieldOverrides == other.indexes.fieldOverrides
    }

    /// Whether writes must record changes in the build log.
    package var isBuilding: Bool { formerOverrides != nil || composites.contains { $0.state == .building } }

    /// The composite indexes of a collection group, building ones included.
    func composites(of group: Text) -> [StoredComposite] { byGroup[group] ?? [] }

    /// The stored index of a definition. Where there are few, it compares definitions and hashes nothing, which is faster because
    /// the planner passes these very definitions.
    package func composite(_ definition: IndexDefinition) -> StoredComposite? {
        if composites.count <= CatalogSnapshot.many { return composites.first { $0.definition == definition } }
        guard let group = byGroup[definition.collectionGroup] else { return nil }
        if group.count > CatalogSnapshot.many { return byDefinition[definition] }
        return group.first { $0.definition == definition }
    }
}

/// Caches the last catalog read. Each transaction checks the catalog's version, so changes by other processes are
/// noticed.
///
/// Threads have objects of their own: each query counts references to its catalog and plan, which would otherwise pass from one
/// processor to the next.
final class CatalogCache: Sendable {
    private struct Entry: Sendable {
        var snapshot: CatalogSnapshot?
        /// The last commit whose catalog version is known. A read of the same commit need not check the version.
        var transactionID = -1
    }

    private final class Shard: Sendable {
        let entry = Mutex(Entry())
        private let padding = CacheLinePadding()
    }

    private let shards = (0..<ShardNumber.count).map { _ in Shard() }
    private let last = Mutex<CatalogSnapshot?>(nil)

    func read(_ transaction: inout Transaction) throws(EngineError) -> CatalogSnapshot {
        let transactionID = transaction.isReading ? transaction.id : -1
        let shard = shards[ShardNumber.own]
        let entry = shard.entry.withLock { $0 }
        if let known = entry.snapshot, transactionID == entry.transactionID, transactionID >= 0 { return known }
        let version = try Counter(.catalogVersion).value(transaction)
        let snapshot: CatalogSnapshot
        if let known = entry.snapshot, known.version == version {
            snapshot = known
        } else {
            let current = try shared(version, &transaction)
            snapshot = entry.snapshot?.followed(by: current) ?? current.copy()
        }
        shard.entry.withLock { $0 = Entry(snapshot: snapshot, transactionID: transactionID) }
        return snapshot
    }

    private func shared(
        _ version: UInt64, _ transaction: inout Transaction
    ) throws(EngineError) -> CatalogSnapshot {
        if let known = last.withLock({ $0 }), known.version == version { return known }
        let snapshot = try CatalogRecords.read(version: version, &transaction)
        last.withLock { $0 = snapshot }
        return snapshot
    }

    /// Clears the cache after an abort, because it may hold uncommitted definitions.
    func invalidate() {
        last.withLock { $0 = nil }
        for shard in shards { shard.entry.withLock { $0 = Entry() } }
    }
}
