// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Makes the catalog consistent and rebuilds every index from the documents, in one write transaction. The stores of
/// index entries must be empty. Upgrades a file of an older format on the way.
struct Repairer {
    private let database: DatabaseID
    private let fields: LongKeyWriter
    private let composites: LongKeyWriter
    private let catalog: LongKeyWriter
    private(set) var report = RepairReport()
    private var progress: WorkProgress

    private static let pendingLimit = 64 << 20

    init(
        _ database: DatabaseID, _ progress: WorkProgress, _ transaction: inout Transaction
    ) throws(EngineError) {
        self.progress = progress
        self.database = database
        fields = try LongKeyWriter(.fieldEntries, &transaction)
        composites = try LongKeyWriter(.compositeEntries, &transaction)
        catalog = try LongKeyWriter(.catalog, &transaction)
    }

    mutating func repair(_ transaction: inout Transaction) throws(EngineError) {
        try raiseChainCounter(&transaction)
        let upgrade = try formatUpgrade(transaction)
        try upgrade?.upgradeCollections(&transaction)
        try upgrade?.upgradeDefinitions(&transaction)
        let contents = try CatalogContents(&transaction)
        try repairCatalog(contents, &transaction)
        let definitions = try repairDefinitions(&transaction)
        try removeOrphanedRanges(definitions, &transaction)
        try upgrade?.upgradeDocuments(&transaction)
        try setAsideUnreadable(contents, &transaction)
        try OverflowAudit.removeBroken(&transaction) { _ in }
        try build(contents, definitions, &transaction)
        if upgrade != nil { try DatabaseHeader.write(database, &transaction) }
    }

    /// Nil for a file of the current format.
    private mutating func formatUpgrade(_ transaction: borrowing Transaction) throws(EngineError) -> FormatUpgrade? {
        guard let header = try DatabaseHeader.read(transaction) else { throw .damaged("it has no header") }
        guard header.format < DatabaseHeader.currentFormat else { return nil }
        report.upgradedFormat = header.format
        return FormatUpgrade(oldFormat: header.format)
    }

    /// Before anything is written: a long key would continue in a chain that has another's.
    private mutating func raiseChainCounter(_ transaction: inout Transaction) throws(EngineError) {
        let counter = Counter(.chains)
        guard let last = try CatalogContents.lastChain(&transaction), try counter.readable(transaction) ?? 0 < last
        else { return }
        try counter.set(last, &transaction)
        report.repaired.append("the counter of chains was lower than \(last), a number in use")
    }

    /// Lists every collection by path and in its group, drops records that mean nothing, and raises the counters to the
    /// IDs in use.
    private mutating func repairCatalog(
        _ contents: CatalogContents, _ transaction: inout Transaction
    ) throws(EngineError) {
        report.repaired += contents.problems
        for key in contents.unusable { _ = try catalog.delete(key, &transaction) }
        if !contents.problems.isEmpty {
            for (path, id) in contents.collections {
                try CollectionRecord.put(path, id, catalog, &transaction)
            }
        }
        for (kind, id) in contents.greatest where try Counter(kind).value(transaction) < id {
            try Counter(kind).set(id, &transaction)
        }
    }

    /// The readable index definitions. Drops the others.
    private mutating func repairDefinitions(_ transaction: inout Transaction) throws(EngineError) -> CatalogSnapshot {
        let version = try Counter(.catalogVersion).next(&transaction)
        for key in try CatalogRecords.unreadable(&transaction) {
            _ = try catalog.delete(key, &transaction)
            report.hasLostDefinitions = true
            report.repaired.append(
                key == CatalogKey.fieldOverrides
                    ? "the field overrides could not be read and are gone: apply the index configuration again"
                    : "the definition of a composite index could not be read and is gone: apply the configuration again"
            )
        }
        let old = try CatalogRecords.read(version: version, &transaction)
        let ready = old.composites.map {
            StoredComposite(indexID: $0.indexID, definition: $0.definition, state: .ready)
        }
        for composite in ready where !old.composites.contains(composite) {
            try CatalogRecords.put(composite, &transaction)
        }
        return CatalogSnapshot(version: version, composites: ready, fieldOverrides: old.indexes.fieldOverrides)
    }

    /// Removes the documents of killed loads, and the records of an unfinished index change, because all indexes are
    /// rebuilt.
    private mutating func removeOrphanedRanges(
        _ definitions: CatalogSnapshot, _ transaction: inout Transaction
    ) throws(EngineError) {
        for key in try UnfinishedLoads.unreadable(&transaction) {
            _ = try catalog.delete(key, &transaction)
            report.repaired.append("the record of a killed load could not be read: what it had stored is set aside")
        }
        let blocks = try UnfinishedLoads.read(&transaction)
        let spans = try OrphanedRanges(ofLoads: blocks, definitions, &transaction).documents
        for span in spans { try transaction.delete(span, from: .documents) }
        for block in blocks { try UnfinishedLoads.remove(block, &transaction) }
        try transaction.delete(CatalogKey.changeUnderWay, from: .catalog)
    }

    /// Removes unreadable documents and keeps their records in the report.
    private mutating func setAsideUnreadable(
        _ contents: CatalogContents, _ transaction: inout Transaction
    ) throws(EngineError) {
        var unreadable: [SetAsideRecord] = []
        try forEachDocument(&transaction) { (key, record, _) throws(EngineError) in
            var path: DocumentPath?
            do throws(EngineError) {
                let (name, _) = try contents.document(key)
                path = name
                _ = try Document(name, record.span.bytes, key: key.span.bytes, database: database)
            } catch {
                unreadable.append(SetAsideRecord(key: key, record: record, path: path, reason: error.finding))
            }
        }
        let documents = try LongKeyWriter(.documents, &transaction)
        for record in unreadable { _ = try documents.delete(record.key, &transaction) }
        report.setAside += unreadable
    }

    private func forEachDocument(
        _ transaction: inout Transaction,
        _ body: ([UInt8], [UInt8], inout Transaction) throws(EngineError) -> Void
    ) throws(EngineError) {
        var slices = EntrySlices(.all, of: .documents)
        while let slice = try slices.next(&transaction) {
            for index in slice.entries.indices {
                try body(Array(slice.bytes[slice.key(index)]), Array(slice.bytes[slice.value(index)]), &transaction)
            }
        }
    }

    private mutating func build(
        _ contents: CatalogContents, _ definitions: CatalogSnapshot, _ transaction: inout Transaction
    ) throws(EngineError) {
        var allocator = try IDAllocator(&transaction)
        var entryBuilders: [Text: IndexEntryBuilder] = [:]
        var pending = (fields: EntryBuffer(), composites: EntryBuffer())
        var lastUpdate: UInt64 = 0
        var (report, progress) = (report, progress)
        try forEachDocument(&transaction) { (key, record, transaction) throws(EngineError) in
            let (path, id) = try contents.document(key)
            let document = try Document(path, record.span.bytes, key: key.span.bytes, database: database)
            let entryBuilder =
                entryBuilders[path.collection.group] ?? IndexEntryBuilder(path.collection.group, definitions)
            entryBuilders[path.collection.group] = entryBuilder
            let documentKey = DocumentKey(path, collectionID: id)
            try entryBuilder.appendFieldEntries(
                document.fields, documentKey, to: &pending.fields, &allocator, &transaction)
            entryBuilder.appendCompositeEntries(document.fields, documentKey, to: &pending.composites)
            lastUpdate = max(lastUpdate, UInt64(max(0, document.updateTime.microseconds)))
            report.documents += 1
            progress.step()
            guard pending.fields.size + pending.composites.size > Repairer.pendingLimit else { return }
            report.entries += try flush(&pending, &transaction)
        }
        report.entries += try flush(&pending, &transaction)
        let lastCommit = Counter(.commitTime)
        if try lastCommit.value(transaction) < lastUpdate { try lastCommit.set(lastUpdate, &transaction) }
        self.report = report
    }

    private func flush(
        _ pending: inout (fields: EntryBuffer, composites: EntryBuffer), _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        pending.fields.sort()
        pending.composites.sort()
        let count = pending.fields.entries.count + pending.composites.entries.count
        var none = EntryBuffer()
        try EntryDifference.apply(removing: &none, adding: &pending.fields, fields, &transaction)
        try EntryDifference.apply(removing: &none, adding: &pending.composites, composites, &transaction)
        return count
    }
}
