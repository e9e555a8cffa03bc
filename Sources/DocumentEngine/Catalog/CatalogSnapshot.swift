// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog
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
    package let plans = PlanCache()
    private let byGroup: [Text: [StoredComposite]]

    init(
        version: UInt64, composites: [StoredComposite], fieldOverrides: [FieldOverride],
        formerOverrides: [FieldOverride]? = nil
    ) {
        self.version = version
        self.composites = composites
        self.formerOverrides = formerOverrides
        indexes = IndexCatalog(
            composites: composites.map { IndexCatalog.Composite($0.definition, state: $0.state) },
            fieldOverrides: fieldOverrides, formerOverrides: formerOverrides)
        byGroup = Dictionary(grouping: composites, by: \.definition.collectionGroup)
    }

    /// Whether writes must record changes in the build log.
    package var isBuilding: Bool { formerOverrides != nil || composites.contains { $0.state == .building } }

    /// The stored index of a definition. Compares definitions instead of hashing them, which is faster because the
    /// planner passes these very definitions.
    package func composite(_ definition: IndexDefinition) -> StoredComposite? {
        byGroup[definition.collectionGroup]?.first { $0.definition == definition }
    }
}

/// Caches the last catalog read. Each transaction checks the catalog's version, so changes by other processes are
/// noticed.
final class CatalogCache: Sendable {
    private struct Entry {
        var snapshot: CatalogSnapshot?
        /// The last commit whose catalog version is known. A read of the same commit need not check the version.
        var transactionID = -1
    }

    private let last = Mutex(Entry())
    private let ids: IDTable

    init(_ ids: IDTable) {
        self.ids = ids
    }

    func read(_ transaction: inout Transaction) throws(EngineError) -> CatalogSnapshot {
        let transactionID = transaction.isReading ? transaction.id : -1
        let entry = last.withLock { $0 }
        if let known = entry.snapshot, transactionID == entry.transactionID, transactionID >= 0 { return known }
        let version = try Counter(.catalogVersion).value(transaction)
        var snapshot = entry.snapshot
        if snapshot?.version != version {
            // A repair, perhaps by another process, also changes the version, and may change IDs.
            if snapshot != nil { ids.invalidate() }
            snapshot = try CatalogRecords.read(version: version, &transaction)
        }
        last.withLock { $0 = Entry(snapshot: snapshot, transactionID: transactionID) }
        return snapshot!
    }

    /// Clears the cache after an abort, because it may hold uncommitted definitions.
    func invalidate() {
        last.withLock { $0 = Entry() }
    }
}
