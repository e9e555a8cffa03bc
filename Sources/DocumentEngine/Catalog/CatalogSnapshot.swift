// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog
internal import LMDB
package import QueryPlanner
internal import Synchronization

/// A composite index with the number under which its entries stand.
package struct StoredComposite: Sendable, Hashable {
    package let number: UInt64
    package let definition: IndexDefinition
    package let state: IndexState
    private let prefixes: [[UInt8]]

    init(number: UInt64, definition: IndexDefinition, state: IndexState) {
        self.number = number
        self.definition = definition
        self.state = state
        prefixes = [0, 1].map { OrderedInteger.bytes(number) + [$0] }
    }

    /// What the keys of its entries in one scope begin with.
    func prefix(_ scope: QueryScope) -> [UInt8] { prefixes[scope == .collection ? 0 : 1] }
}

/// The index definitions as one transaction sees them. Immutable; a class, because each query holds it.
package final class CatalogSnapshot: Sendable {
    package let version: UInt64
    package let indexes: IndexCatalog
    package let composites: [StoredComposite]
    /// The field overrides that are being replaced, as long as indexes are being built or removed for that.
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

    /// Whether there are indexes that writes note in the side log.
    package var isBuilding: Bool { formerOverrides != nil || composites.contains { $0.state == .building } }

    /// Sooner compared than hashed: the planner hands on the very definitions that are kept here.
    package func composite(_ definition: IndexDefinition) -> StoredComposite? {
        byGroup[definition.collectionGroup]?.first { $0.definition == definition }
    }
}

/// Remembers the last catalog read. Every transaction reads the version, so that a change by another process is noticed.
final class CatalogCache: Sendable {
    private struct Memory {
        var snapshot: CatalogSnapshot?
        /// The commit that a read saw last: as long as reads see that one, the version need not be read.
        var transactionID = -1
    }

    private let last = Mutex(Memory())
    private let stores: Stores
    private let numbers: Numbers

    init(_ stores: Stores, _ numbers: Numbers) {
        self.stores = stores
        self.numbers = numbers
    }

    func read(_ cursors: inout CursorSet) throws(EngineError) -> CatalogSnapshot {
        let transactionID = cursors.isReading ? cursors.transactionID : -1
        let memory = last.withLock { $0 }
        if let known = memory.snapshot, transactionID == memory.transactionID, transactionID >= 0 { return known }
        let version = try Counter(.catalogVersion, stores).value(cursors)
        var snapshot = memory.snapshot
        if snapshot?.version != version {
            // A repair, also one by another process, changes the version.
            if snapshot != nil { numbers.forget() }
            snapshot = try CatalogRecords(stores).read(version: version, &cursors)
        }
        last.withLock { $0 = Memory(snapshot: snapshot, transactionID: transactionID) }
        return snapshot!
    }

    /// Forgets what an aborted transaction may have left.
    func forget() {
        last.withLock { $0 = Memory() }
    }
}
