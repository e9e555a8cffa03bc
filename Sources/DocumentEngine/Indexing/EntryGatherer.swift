// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Gives automatic indexes their numbers, in a transaction of its own where one of them has none yet.
typealias FieldIndexAllocation = @Sendable ([FieldIndexKey]) throws(EngineError) -> [UInt64]

/// Gathers the index entries of documents outside of any transaction.
struct EntryGatherer {
    private(set) var fields = EntryBuffer()
    private(set) var composites = EntryBuffer()
    private let catalog: CatalogSnapshot
    private let allocate: FieldIndexAllocation
    private let state: IndexState
    private var indexers: [Text: GroupIndexer] = [:]
    /// The collection of the last document, and its indexer: the next document's, mostly.
    private var collection: UInt64?
    private var lastIndexer: GroupIndexer?
    /// Documents with automatic indexes that have no number yet.
    private var waiting: [(key: DocumentKey, fields: Fields, indexer: GroupIndexer)] = []
    private var unnumbered: [GroupIndexer.Unnumbered] = []

    private static let waitingLimit = 1_000

    init(
        _ catalog: CatalogSnapshot, of state: IndexState = .ready, allocatingBy allocate: @escaping FieldIndexAllocation
    ) {
        self.catalog = catalog
        self.allocate = allocate
        self.state = state
    }

    /// Bytes of memory.
    var size: Int { fields.size + composites.size }

    mutating func add(_ key: DocumentKey, _ document: Fields) throws(EngineError) {
        if waiting.count >= EntryGatherer.waitingLimit { try settle() }
        let indexer = indexer(key)
        let mark = fields.mark
        let missing = indexer.appendFieldEntries(document, key, to: &fields)
        if !missing.isEmpty {
            fields.truncate(to: mark)
            waiting.append((key, document, indexer))
            unnumbered += missing
        }
        for composite in indexer.composites {
            indexer.appendCompositeEntries(document, key, composite, to: &composites)
        }
    }

    /// Adds the entries of composite indexes alone, for which few fields are read.
    mutating func addComposites(_ key: DocumentKey, _ document: borrowing StoredDocument) throws(StoredFormatError) {
        let indexer = indexer(key)
        for composite in indexer.composites {
            try indexer.appendCompositeEntries(document, key, composite, to: &composites)
        }
    }

    /// Numbers the automatic indexes that had no entry so far, many in one commit, and adds the entries that waited for it. To
    /// be called before the entries are used.
    mutating func settle() throws(EngineError) {
        while !waiting.isEmpty {
            try number()
            let documents = waiting
            waiting.removeAll()
            unnumbered.removeAll()
            for document in documents {
                let mark = fields.mark
                let missing = document.indexer.appendFieldEntries(document.fields, document.key, to: &fields)
                guard !missing.isEmpty else { continue }
                // The indexer had to forget what it knew of too many fields.
                fields.truncate(to: mark)
                waiting.append(document)
                unnumbered += missing
            }
        }
    }

    private func number() throws(EngineError) {
        let numbers = try allocate(unnumbered.map(\.index))
        for (missing, number) in zip(unnumbered, numbers) { missing.setNumber(number) }
    }

    mutating func sort() {
        fields.sort()
        composites.sort()
    }

    mutating func removeAll() {
        fields.removeAll()
        composites.removeAll()
    }

    private mutating func indexer(_ key: DocumentKey) -> GroupIndexer {
        if let lastIndexer, key.number == collection { return lastIndexer }
        let indexer = indexers[key.group] ?? GroupIndexer(key.group, catalog, of: state)
        indexers[key.group] = indexer
        collection = key.number
        lastIndexer = indexer
        return indexer
    }
}
