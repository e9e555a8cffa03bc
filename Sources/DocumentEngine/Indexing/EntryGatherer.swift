// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Gathers the index entries of documents outside of any transaction.
struct EntryGatherer {
    private(set) var fields = EntryBuffer()
    private(set) var composites = EntryBuffer()
    private let engine: Engine
    private let catalog: CatalogSnapshot
    private let state: IndexState
    private var indexers: [Text: GroupIndexer] = [:]
    /// The collection of the last document, and its indexer: the next document's, mostly.
    private var collection: UInt64?
    private var lastIndexer: GroupIndexer?
    /// Documents with automatic indexes that have no number yet.
    private var waiting: [(key: DocumentKey, fields: Fields, indexer: GroupIndexer)] = []
    private var unnumbered: [GroupIndexer.Unnumbered] = []

    private static let waitingLimit = 1_000

    init(_ engine: Engine, _ catalog: CatalogSnapshot, of state: IndexState = .ready) {
        self.engine = engine
        self.catalog = catalog
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
        let indexes = unnumbered.map(\.index)
        var numbers = try engine.read { (cursors) throws(EngineError) in
            var numbers: [UInt64?] = []
            for index in indexes { numbers.append(try engine.numbers.fieldIndex(index, cursors)) }
            return numbers
        }
        if numbers.contains(nil) {
            numbers = try engine.write { (cursors, _, _) throws(EngineError) in
                var giver = try NumberGiver(engine.stores, &cursors)
                var given: [UInt64?] = []
                for index in indexes { given.append(try giver.fieldIndex(index, &cursors)) }
                return given
            }
        }
        for (missing, number) in zip(unnumbered, numbers) { if let number { missing.setNumber(number) } }
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
