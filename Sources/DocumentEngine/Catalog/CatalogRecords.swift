// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog
internal import JSONText
internal import LMDB

/// The records of index definitions in the catalog store: JSON as in `firestore.indexes.json`, a composite's state before it.
struct CatalogRecords {
    private static let buildingTag: UInt8 = 0
    private static let readyTag: UInt8 = 1

    private let stores: Stores

    init(_ stores: Stores) {
        self.stores = stores
    }

    func read(version: UInt64, _ cursors: inout CursorSet) throws(EngineError) -> CatalogSnapshot {
        var composites: [StoredComposite] = []
        for record in try stores.catalogRecords(under: CatalogKey.composites, &cursors) {
            var offset = CatalogKey.composites.count
            let number = try OrderedInteger.read(record.key.span.bytes, &offset)
            composites.append(try composite(number, record.value))
        }
        return CatalogSnapshot(
            version: version, composites: composites,
            fieldOverrides: try overrides(CatalogKey.fieldOverrides, cursors) ?? [],
            formerOverrides: try overrides(CatalogKey.formerOverrides, cursors))
    }

    /// The keys of definitions and overrides that cannot be read.
    func unreadable(_ cursors: inout CursorSet) throws(EngineError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        for record in try stores.catalogRecords(under: CatalogKey.composites, &cursors)
        where (try? composite(0, record.value)) == nil {
            keys.append(record.key)
        }
        for key in [CatalogKey.fieldOverrides, CatalogKey.formerOverrides] {
            do throws(EngineError) {
                _ = try overrides(key, cursors)
            } catch {
                guard case .damaged = error else { throw error }
                keys.append(key)
            }
        }
        return keys
    }

    private func composite(_ number: UInt64, _ record: [UInt8]) throws(EngineError) -> StoredComposite {
        let configuration = ConfigurationReader.read(Array(record.dropFirst())).configuration
        guard let tag = record.first, let definition = configuration.indexes.first else {
            throw .damaged("the definition of composite index \(number) cannot be read")
        }
        return StoredComposite(
            number: number, definition: definition, state: tag == CatalogRecords.readyTag ? .ready : .building)
    }

    /// Nil where there is no record.
    private func overrides(
        _ key: [UInt8], _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [FieldOverride]? {
        guard let record = try stores.keyed(stores.catalog).get(cursors, key.span.bytes) else { return nil }
        let (configuration, findings) = ConfigurationReader.read([UInt8](copying: record))
        guard !findings.contains(where: { $0.rule.id == "syntax" }) else {
            throw .damaged("the field overrides cannot be read")
        }
        return configuration.fieldOverrides
    }

    func put(_ composite: StoredComposite, _ cursors: inout CursorSet) throws(EngineError) {
        let tag = composite.state == .ready ? CatalogRecords.readyTag : CatalogRecords.buildingTag
        let json = ConfigurationWriter.text(IndexConfiguration(indexes: [composite.definition])).utf8
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        try writer.put(CatalogKey.composite(composite.number), [tag] + json, &cursors)
    }

    /// Takes a definition away and notes that its entries are to be removed.
    func drop(_ composite: StoredComposite, _ cursors: inout CursorSet) throws(EngineError) {
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        _ = try writer.delete(CatalogKey.composite(composite.number), &cursors)
        try writer.put(CatalogKey.droppedComposite(composite.number), [1], &cursors)
    }

    /// - Parameter former: what they replace, as long as indexes are being built or removed for that.
    func put(
        _ overrides: [FieldOverride], replacing former: [FieldOverride]?, _ cursors: inout CursorSet
    ) throws(EngineError) {
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        let json = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: overrides))
        try writer.put(CatalogKey.fieldOverrides, Array(json.utf8), &cursors)
        guard let former else {
            _ = try writer.delete(CatalogKey.formerOverrides, &cursors)
            return
        }
        let formerJSON = ConfigurationWriter.text(IndexConfiguration(fieldOverrides: former))
        try writer.put(CatalogKey.formerOverrides, Array(formerJSON.utf8), &cursors)
    }

    /// Composite indexes whose entries are to be removed.
    func dropped(_ cursors: inout CursorSet) throws(EngineError) -> [UInt64] {
        let prefix = CatalogKey.droppedComposites
        var numbers: [UInt64] = []
        for record in try stores.catalogRecords(under: prefix, &cursors) {
            var offset = prefix.count
            numbers.append(try OrderedInteger.read(record.key.span.bytes, &offset))
        }
        return numbers
    }
}
