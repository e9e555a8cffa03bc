// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Returns the IDs of automatic indexes, and allocates missing ones in a transaction of its own.
typealias FieldIndexAllocation = @Sendable ([FieldIndexKey]) throws(EngineError) -> [UInt64]

/// Collects the index entries of documents outside of transactions.
struct IndexEntryCollector {
    private(set) var fields = EntryBuffer()
    private(set) var composites = EntryBuffer()
    private let catalog: CatalogSnapshot
    private let allocate: FieldIndexAllocation
    private let state: IndexState
    private var entryBuilders: [Text: IndexEntryBuilder] = [:]
    /// The collection of the last document, and its entry builder. The next document usually has the same.
    private var collectionID: UInt64?
    private var lastEntryBuilder: IndexEntryBuilder?
    /// Documents that have values in automatic indexes without an ID.
    private var pending: [(key: DocumentKey, fields: Fields, entryBuilder: IndexEntryBuilder)] = []
    private var unassigned: [IndexEntryBuilder.UnassignedIndex] = []

    private static let pendingLimit = 1_000

    init(
        _ catalog: CatalogSnapshot, of state: IndexState = .ready, allocatingBy allocate: @escaping FieldIndexAllocation
    ) {
        self.catalog = catalog
        self.allocate = allocate
        self.state = state
    }

    /// The number of bytes in memory.
    var size: Int { fields.size + composites.size }

    mutating func add(_ key: DocumentKey, _ document: Fields) throws(EngineError) {
        if pending.count >= IndexEntryCollector.pendingLimit { try resolvePending() }
        let entryBuilder = entryBuilder(key)
        entryBuilder.forgetManyNodes()
        let mark = fields.mark
        let missing = entryBuilder.appendFieldEntries(document, key, to: &fields)
        if !missing.isEmpty {
            fields.truncate(to: mark)
            pending.append((key, document, entryBuilder))
            unassigned += missing
        }
        entryBuilder.appendCompositeEntries(document, key, to: &composites)
    }

    /// Adds only the entries of composite indexes. Decodes only their fields.
    mutating func addComposites(_ key: DocumentKey, _ document: borrowing StoredDocument) throws(StoredFormatError) {
        try entryBuilder(key).appendCompositeEntries(document, key, to: &composites)
    }

    /// Allocates the missing IDs of automatic indexes, many in one commit, and adds the entries of pending documents.
    /// Call it before using the entries.
    mutating func resolvePending() throws(EngineError) {
        while !pending.isEmpty {
            try allocateIDs()
            let documents = pending
            pending.removeAll()
            unassigned.removeAll()
            for document in documents {
                let mark = fields.mark
                let missing = document.entryBuilder.appendFieldEntries(document.fields, document.key, to: &fields)
                guard !missing.isEmpty else { continue }
                // The entry builder has forgotten nodes since, and with them the IDs.
                fields.truncate(to: mark)
                pending.append(document)
                unassigned += missing
            }
        }
    }

    private func allocateIDs() throws(EngineError) {
        let ids = try allocate(unassigned.map(\.index))
        for (missing, id) in zip(unassigned, ids) { missing.setID(id) }
    }

    mutating func sort() {
        fields.sort()
        composites.sort()
    }

    mutating func removeAll() {
        fields.removeAll()
        composites.removeAll()
    }

    private mutating func entryBuilder(_ key: DocumentKey) -> IndexEntryBuilder {
        if let lastEntryBuilder, key.collectionID == collectionID { return lastEntryBuilder }
        let entryBuilder = entryBuilders[key.group] ?? IndexEntryBuilder(key.group, catalog, of: state)
        entryBuilders[key.group] = entryBuilder
        collectionID = key.collectionID
        lastEntryBuilder = entryBuilder
        return entryBuilder
    }
}
