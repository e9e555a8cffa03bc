// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// The size of a database. Bytes are those of keys and values, without LMDB's overhead.
package struct DatabaseStatistics: Sendable {
    package struct Collection: Sendable {
        package let path: CollectionPath
        package let documents: Int
        package let bytes: Int
    }

    package struct Index: Sendable {
        /// The group, field and kind of an automatic index, or the definition of a composite one.
        package enum Kind: Sendable {
            case automatic(collectionGroup: Text, path: FieldPath, scope: QueryScope, isContains: Bool)
            case composite(IndexDefinition)
        }

        package let kind: Kind
        package let entries: Int
        package let bytes: Int
    }

    /// The file's format.
    package let format: Int
    package let database: DatabaseID
    /// In path order, without empty collections.
    package let collections: [Collection]
    package let indexes: [Index]
    /// The size of the whole file.
    package let fileBytes: Int
    /// The size of the free pages.
    package let freeBytes: Int
    package let lastTransaction: Int
}

extension Engine {
    /// Computes the statistics, which reads all keys once.
    ///
    /// - Throws: also if damage has hidden entries.
    package func statistics() throws(EngineError) -> DatabaseStatistics {
        let info = environment.info
        let freePages: Int
        do { freePages = try environment.countFreePages() } catch { throw .storage(error) }
        return try read { (transaction) throws(EngineError) in
            let catalog = try self.catalogs.read(&transaction)
            guard let header = try DatabaseHeader.read(transaction) else { throw .damaged("it has no header") }
            let collections = try self.collectionStatistics(&transaction)
            let automatic = try self.automaticStatistics(&transaction)
            // The orphaned entries of killed loads are in no collection.
            if try UnfinishedLoads.read(&transaction).isEmpty {
                try transaction.check(count: collections.reduce(0) { $0 + $1.documents }, of: .documents)
            }
            try transaction.check(count: automatic.reduce(0) { $0 + $1.entries }, of: .fieldEntries)
            return DatabaseStatistics(
                format: Int(header.format), database: self.database, collections: collections,
                indexes: try automatic + self.compositeStatistics(catalog, &transaction),
                fileBytes: info.pages * info.pageSize, freeBytes: freePages * info.pageSize,
                lastTransaction: info.lastTransactionID)
        }
    }

    private func collectionStatistics(
        _ transaction: inout Transaction
    ) throws(EngineError) -> [DatabaseStatistics.Collection] {
        var list = try CollectionList(.descendants(of: nil), backwards: false, &transaction)
        var collections: [DatabaseStatistics.Collection] = []
        while let item = try list.next(&transaction) {
            let (documents, bytes) = try size(.documents, prefix: OrderedInteger.bytes(item.collectionID), &transaction)
            guard documents > 0 else { continue }
            collections.append(.init(path: try CollectionPath(encoded: item.path), documents: documents, bytes: bytes))
        }
        return collections
    }

    private func automaticStatistics(_ transaction: inout Transaction) throws(EngineError) -> [DatabaseStatistics.Index]
    {
        var indexes: [DatabaseStatistics.Index] = []
        try FieldIndexKey.forEach(&transaction) { (key, indexID, transaction) throws(EngineError) in
            let prefix = OrderedInteger.bytes(indexID)
            let (entries, bytes) = try self.size(.fieldEntries, prefix: prefix, &transaction)
            let kind = DatabaseStatistics.Index.Kind.automatic(
                collectionGroup: key.collectionGroup, path: key.path, scope: key.scope, isContains: key.isContains)
            if entries > 0 { indexes.append(.init(kind: kind, entries: entries, bytes: bytes)) }
        }
        return indexes
    }

    private func compositeStatistics(
        _ catalog: CatalogSnapshot, _ transaction: inout Transaction
    ) throws(EngineError) -> [DatabaseStatistics.Index] {
        var indexes: [DatabaseStatistics.Index] = []
        for composite in catalog.composites {
            let prefix = OrderedInteger.bytes(composite.indexID)
            let (entries, bytes) = try size(.compositeEntries, prefix: prefix, &transaction)
            indexes.append(.init(kind: .composite(composite.definition), entries: entries, bytes: bytes))
        }
        return indexes
    }

    private func size(
        _ store: StoreName, prefix: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> (count: Int, bytes: Int) {
        var cursor = try RangeCursor(store, prefix: prefix, ranges: [.all], backwards: false, &transaction)
        var count = 0
        var bytes = 0
        while try cursor.next(&transaction) {
            count += 1
            bytes += try cursor.withWholeEntry(transaction) { (key, value) throws(EngineError) in
                key.byteCount + value.byteCount
            }
        }
        cursor.close(&transaction)
        return (count, bytes)
    }
}
