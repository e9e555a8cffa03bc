// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import LMDB

/// The record of a file's format and identity. It is JSON, so that every later version can read it.
struct DatabaseHeader {
    /// Raised with every change of docs/format.md that an older version could not read.
    static let currentFormat: Int64 = 3

    let identity: DatabaseID
    let format: Int64

    /// The header in the file, or nil if the file was never completely created.
    static func read(_ transaction: borrowing Transaction) throws(EngineError) -> DatabaseHeader? {
        let key = CatalogKey.header
        guard let record = try transaction.get(key.span.bytes, from: .catalog) else { return nil }
        return try DatabaseHeader([UInt8](copying: record))
    }

    /// - Parameter identity: that of a new database.
    static func readOrWrite(_ storage: Storage, identity: DatabaseID) throws(EngineError) -> DatabaseHeader {
        let isReadOnly = storage.environment.options.readOnly
        if let header = try storage.read({ (transaction) throws(EngineError) in try read(transaction) }) {
            if header.format < currentFormat, !isReadOnly { try rewrite(storage) }
            return header
        }
        guard !isReadOnly else { throw .neverCompleted(storage.environment.path) }
        return try storage.write { (transaction) throws(EngineError) in
            if let other = try read(transaction) { return other }
            try transaction.put(CatalogKey.header, json(identity), into: .catalog)
            return DatabaseHeader(identity: identity)
        }
    }

    /// Updates a file to this format. Versions that know only older formats then refuse it.
    private static func rewrite(_ storage: Storage) throws(EngineError) {
        try storage.write { (transaction) throws(EngineError) in
            // Another process may have done it.
            guard let header = try read(transaction), header.format < currentFormat else { return }
            try addChecksums(&transaction)
            try transaction.put(CatalogKey.header, json(header.identity), into: .catalog)
        }
    }

    /// Format 3 has checksums of collections.
    private static func addChecksums(_ transaction: inout Transaction) throws(EngineError) {
        let writer = try LongKeyWriter(.catalog, &transaction)
        for list in [CatalogKey.collections, [CatalogKey.groupMembersKind]] {
            for (key, record) in try transaction.scan(prefix: list, of: .catalog) {
                let collectionID = try CollectionRecord.collectionID(in: record.span.bytes, key: key.span.bytes)
                try writer.put(key, CollectionRecord.bytes(collectionID, key: key), &transaction)
            }
        }
    }

    private init(identity: DatabaseID) {
        self.identity = identity
        format = DatabaseHeader.currentFormat
    }

    private init(_ record: [UInt8]) throws(EngineError) {
        let node: JSONNode
        do { node = try JSONParser.parse(record) } catch { throw .damaged("the header is no JSON") }
        guard let format = node["format"]?.number?.int64 else { throw .damaged("the header has no format number") }
        guard format <= DatabaseHeader.currentFormat else {
            throw .unusable(
                "The database has format \(format); this version of Hearth reads up to format "
                    + "\(DatabaseHeader.currentFormat). Use a newer version of Hearth.")
        }
        guard let project = node["project"]?.string, let database = node["database"]?.string else {
            throw .damaged("the header does not name the database")
        }
        identity = DatabaseID(project: Text(project), database: Text(database))
        self.format = format
    }

    private static func json(_ identity: DatabaseID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("format")
        writer.integer(currentFormat)
        writer.key("project")
        writer.string(identity.project.string)
        writer.key("database")
        writer.string(identity.database.string)
        writer.endObject()
        return writer.bytes
    }
}
