// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import LMDB

/// The catalog records of index definitions: JSON as in `firestore.indexes.json`, preceded by the state of a composite
/// index.
enum CatalogRecords {
    private static let buildingTag: UInt8 = 0
    private static let readyTag: UInt8 = 1

    static func read(version: UInt64, _ transaction: inout Transaction) throws(EngineError) -> CatalogSnapshot {
        var composites: [StoredComposite] = []
        for record in try transaction.scan(prefix: CatalogKey.composites, of: .catalog) {
            var offset = CatalogKey.composites.count
            let indexID = try OrderedInteger.read(record.key.span.bytes, &offset)
            composites.append(try composite(indexID, record))
        }
        return CatalogSnapshot(
            version: version, composites: composites,
            fieldOverrides: try overrides(CatalogKey.fieldOverrides, transaction) ?? [],
            formerOverrides: try overrides(CatalogKey.formerOverrides, transaction))
    }

    /// The keys of unreadable definitions and overrides.
    static func unreadable(_ transaction: inout Transaction) throws(EngineError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for record in try transaction.scan(prefix: CatalogKey.composites, of: .catalog)
        where (try? composite(0, record)) == nil {
            keys.append(record.key)
        }
        for key in [CatalogKey.fieldOverrides, CatalogKey.formerOverrides] {
            do throws(EngineError) {
                _ = try overrides(key, transaction)
            } catch {
                guard case .damaged = error else { throw error }
                keys.append(key)
            }
        }
        return keys
    }

    private static func composite(
        _ indexID: UInt64, _ record: (key: [UInt8], value: [UInt8])
    ) throws(EngineError) -> StoredComposite {
        let content = try CheckedRecord.content(
            of: record.value, key: record.key, "the definition of composite index \(indexID)")
        let configuration = ConfigurationReader.read(written: Array(content.dropFirst()))
        guard let tag = content.first, let definition = configuration?.indexes.first else {
            throw .damaged("the definition of composite index \(indexID) cannot be read")
        }
        return StoredComposite(
            indexID: indexID, definition: definition, state: tag == CatalogRecords.readyTag ? .ready : .building)
    }

    /// The overrides under a key, or nil if there is no record.
    private static func overrides(
        _ key: [UInt8], _ transaction: borrowing Transaction
    ) throws(EngineError) -> [FieldOverride]? {
        guard let record = try transaction.get(key.span.bytes, from: .catalog) else { return nil }
        let content = try CheckedRecord.content(of: [UInt8](copying: record), key: key, "the record of field overrides")
        guard let configuration = ConfigurationReader.read(written: content) else {
            throw .damaged("the field overrides cannot be read")
        }
        return configuration.fieldOverrides
    }

    static func put(_ composite: StoredComposite, _ transaction: inout Transaction) throws(EngineError) {
        let tag = composite.state == .ready ? CatalogRecords.readyTag : CatalogRecords.buildingTag
        let json = ConfigurationWriter.text(IndexConfiguration(indexes: [composite.definition])).utf8
        try put([tag] + json, CatalogKey.composite(composite.indexID), &transaction)
    }

    /// Deletes a definition and records that its entries must be removed.
    static func drop(_ composite: StoredComposite, _ transaction: inout Transaction) throws(EngineError) {
        try transaction.delete(CatalogKey.composite(composite.indexID), from: .catalog)
        try put([1], CatalogKey.droppedComposite(composite.indexID), &transaction)
    }

    /// - Parameter former: the overrides that these replace, or nil when the indexes are built and removed.
    static func put(
        _ overrides: [FieldOverride], replacing former: [FieldOverride]?, _ transaction: inout Transaction
    ) throws(EngineError) {
        let json = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: overrides))
        try put(Array(json.utf8), CatalogKey.fieldOverrides, &transaction)
        guard let former else {
            try transaction.delete(CatalogKey.formerOverrides, from: .catalog)
            return
        }
        let formerJSON = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: former))
        try put(Array(formerJSON.utf8), CatalogKey.formerOverrides, &transaction)
    }

    private static func put(
        _ content: [UInt8], _ key: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) {
        try transaction.put(key, CheckedRecord.bytes(content, key: key), into: .catalog)
    }

    /// Dropped composite indexes whose entries have not been removed yet.
    static func dropped(_ transaction: inout Transaction) throws(EngineError) -> [UInt64] {
        let prefix = CatalogKey.droppedComposites
        var indexIDs: [UInt64] = []
        for record in try transaction.scan(prefix: prefix, of: .catalog) {
            _ = try CheckedRecord.content(of: record.value, key: record.key, "the record of a dropped index")
            var offset = prefix.count
            indexIDs.append(try OrderedInteger.read(record.key.span.bytes, &offset))
        }
        return indexIDs
    }
}
