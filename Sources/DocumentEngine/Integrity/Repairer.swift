// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// Makes a database's catalog consistent and builds every index anew from the documents, inside one write transaction whose
/// stores of index entries are empty already.
struct Repairer {
    private let stores: Stores
    private let database: DatabaseID
    private let fields: KeyedWriter
    private let composites: KeyedWriter
    private let catalog: KeyedWriter
    private(set) var report = RepairReport()
    private var progress: WorkProgress

    private static let pendingLimit = 64 << 20

    init(
        _ stores: Stores, _ database: DatabaseID, _ progress: WorkProgress, _ cursors: inout CursorSet
    ) throws(EngineError) {
        self.progress = progress
        self.stores = stores
        self.database = database
        let runs = Counter(.runs, stores)
        fields = try KeyedWriter(stores.keyed(stores.fieldEntries), runs: runs, &cursors)
        composites = try KeyedWriter(stores.keyed(stores.compositeEntries), runs: runs, &cursors)
        catalog = try KeyedWriter(stores.keyed(stores.catalog), runs: runs, &cursors)
    }

    mutating func repair(_ cursors: inout CursorSet) throws(EngineError) {
        let contents = try CatalogContents(stores, &cursors)
        try repairCatalog(contents, &cursors)
        let definitions = try repairDefinitions(&cursors)
        try removeLeftovers(definitions, &cursors)
        try setAsideUnreadable(contents, &cursors)
        try RunAudit.removeLost(stores, &cursors) { _ in }
        try build(contents, definitions, &cursors)
    }

    /// Lists every collection by path and in its group, drops records that mean nothing, and lets the counters reach every number.
    private mutating func repairCatalog(
        _ contents: CatalogContents, _ cursors: inout CursorSet
    ) throws(EngineError) {
        report.mended = contents.problems
        for key in contents.unusable { _ = try catalog.delete(key, &cursors) }
        if !contents.problems.isEmpty {
            for (path, number) in contents.collections {
                try CollectionRecord.put(path, number, catalog, &cursors)
            }
        }
        for (kind, number) in contents.greatest where try Counter(kind, stores).value(cursors) < number {
            try Counter(kind, stores).set(number, &cursors)
        }
    }

    /// The index definitions that can be read; those that cannot are dropped.
    private mutating func repairDefinitions(_ cursors: inout CursorSet) throws(EngineError) -> CatalogSnapshot {
        let version = try Counter(.catalogVersion, stores).next(&cursors)
        let records = CatalogRecords(stores)
        for key in try records.unreadable(&cursors) {
            _ = try catalog.delete(key, &cursors)
            report.mended.append(
                key == CatalogKey.fieldOverrides
                    ? "the field overrides could not be read and are gone: apply the index configuration again"
                    : "the definition of a composite index could not be read and is gone: apply the configuration again"
            )
        }
        let old = try records.read(version: version, &cursors)
        let ready = old.composites.map { StoredComposite(number: $0.number, definition: $0.definition, state: .ready) }
        for composite in ready where !old.composites.contains(composite) { try records.put(composite, &cursors) }
        return CatalogSnapshot(version: version, composites: ready, fieldOverrides: old.indexes.fieldOverrides)
    }

    /// Takes away what loads that were killed have left, documents that were never there, and what an unfinished change of indexes
    /// has noted: all indexes are made anew.
    private func removeLeftovers(
        _ definitions: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        let loads = UnfinishedLoads(stores)
        let blocks = try loads.read(&cursors)
        let spans = try Leftovers(ofLoads: blocks, stores, definitions, &cursors).documents
        for span in spans { try EntryRemover.removeAll(stores, stores.documents, span, &cursors) }
        for block in blocks { try loads.remove(block, &cursors) }
        try EntryRemover.removeAll(stores, stores.catalog, CatalogKey.changeUnderWay, &cursors)
    }

    /// Takes documents away that cannot be read, and remembers them.
    private mutating func setAsideUnreadable(
        _ contents: CatalogContents, _ cursors: inout CursorSet
    ) throws(EngineError) {
        var unreadable: [SetAsideRecord] = []
        try forEachDocument(&cursors) { (key, record, _) throws(EngineError) in
            var path: DocumentPath?
            do throws(EngineError) {
                let (name, _) = try contents.document(key)
                path = name
                _ = try Document(name, record.span.bytes, key: key.span.bytes, database: database)
            } catch {
                unreadable.append(SetAsideRecord(key: key, record: record, path: path, reason: error.finding))
            }
        }
        let documents = try KeyedWriter(stores.keyed(stores.documents), runs: Counter(.runs, stores), &cursors)
        for record in unreadable { _ = try documents.delete(record.key, &cursors) }
        report.setAside += unreadable
    }

    private func forEachDocument(
        _ cursors: inout CursorSet,
        _ body: ([UInt8], [UInt8], inout CursorSet) throws(EngineError) -> Void
    ) throws(EngineError) {
        var cursor = try KeyCursor(stores.keyed(stores.documents), &cursors)
        var isFound = try cursor.seek([UInt8]().span.bytes, &cursors)
        while isFound {
            let key = [UInt8](copying: cursor.key(cursors))
            let record = [UInt8](copying: cursor.value(cursors))
            try body(key, record, &cursors)
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
    }

    private mutating func build(
        _ contents: CatalogContents, _ definitions: CatalogSnapshot, _ cursors: inout CursorSet
    ) throws(EngineError) {
        var numbers = try NumberGiver(stores, &cursors)
        var indexers: [Text: GroupIndexer] = [:]
        var pending = (fields: EntryBuffer(), composites: EntryBuffer())
        let lastCommit = Counter(.commitTime, stores)
        var (report, progress) = (report, progress)
        try forEachDocument(&cursors) { (key, record, cursors) throws(EngineError) in
            let (path, number) = try contents.document(key)
            let document = try Document(path, record.span.bytes, key: key.span.bytes, database: database)
            let indexer = indexers[path.collection.group] ?? GroupIndexer(path.collection.group, definitions)
            indexers[path.collection.group] = indexer
            let documentKey = DocumentKey(path, collection: number)
            try indexer.appendFieldEntries(document.fields, documentKey, to: &pending.fields, &numbers, &cursors)
            for composite in indexer.composites {
                indexer.appendCompositeEntries(document.fields, documentKey, composite, to: &pending.composites)
            }
            if try lastCommit.value(cursors) < UInt64(max(0, document.updateTime.microseconds)) {
                try lastCommit.set(UInt64(document.updateTime.microseconds), &cursors)
            }
            report.documents += 1
            progress.step()
            guard pending.fields.size + pending.composites.size > Repairer.pendingLimit else { return }
            report.entries += try flush(&pending, &cursors)
        }
        report.entries += try flush(&pending, &cursors)
        self.report = report
    }

    private func flush(
        _ pending: inout (fields: EntryBuffer, composites: EntryBuffer), _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        pending.fields.sort()
        pending.composites.sort()
        let count = pending.fields.entries.count + pending.composites.entries.count
        var none = EntryBuffer()
        try EntryDifference.apply(removing: &none, adding: &pending.fields, fields, &cursors)
        try EntryDifference.apply(removing: &none, adding: &pending.composites, composites, &cursors)
        return count
    }
}
