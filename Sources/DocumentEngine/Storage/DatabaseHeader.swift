// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import LMDB

/// The record that says which format a file has and whose database it is: JSON, so that every later version can read it.
struct DatabaseHeader {
    /// Raised with every change of docs/format.md that an older version could not read.
    static let currentFormat: Int64 = 3

    let identity: DatabaseID
    let format: Int64

    /// As it stands in the file; nil before it is completely made.
    static func read(_ stores: Stores, _ cursors: borrowing CursorSet) throws(EngineError) -> DatabaseHeader? {
        let key = CatalogKey.header
        guard let record = try cursors.lookUp(stores.catalog, key.span.bytes) else { return nil }
        return try DatabaseHeader([UInt8](copying: record))
    }

    static func readOrWrite(
        _ environment: Environment, _ stores: Stores, _ options: Engine.Options
    ) throws(EngineError) -> DatabaseHeader {
        let existing = try environment.read { (transaction) throws(EngineError) in
            let cursors = transaction.makeCursors()
            return try read(stores, cursors)
        }
        if let header = existing {
            if header.format < currentFormat, !options.readOnly { try rewrite(environment, stores) }
            return header
        }
        guard !options.readOnly else {
            throw neverCompleted(environment)
        }
        return try environment.write { (transaction) throws(EngineError) in
            let key = CatalogKey.header
            var cursors = transaction.makeCursors()
            if let other = try read(stores, cursors) { return other }
            let cursor = try cursors.openCursor(stores.catalog)
            let record = json(options.identity)
            try cursors.putEntry(cursor, key.span.bytes, record.span.bytes)
            return DatabaseHeader(identity: options.identity)
        }
    }

    /// Whoever made the file was killed before the first commit.
    static func neverCompleted(_ environment: Environment) -> EngineError {
        .unusable(
            "\(environment.path) is an empty database that was never completely made. Opening it for writing completes it."
        )
    }

    /// Makes a file one of this format, and keeps programs that know older ones only away from it.
    private static func rewrite(_ environment: Environment, _ stores: Stores) throws(EngineError) {
        try environment.write { (transaction) throws(EngineError) in
            let key = CatalogKey.header
            var cursors = transaction.makeCursors()
            // Another process may have done it.
            guard let header = try read(stores, cursors), header.format < currentFormat else { return }
            try addChecksums(stores, &cursors)
            let cursor = try cursors.openCursor(stores.catalog)
            let record = json(header.identity)
            try cursors.putEntry(cursor, key.span.bytes, record.span.bytes)
        }
    }

    /// Format 3 has checksums of collections.
    private static func addChecksums(_ stores: Stores, _ cursors: inout CursorSet) throws(EngineError) {
        let writer = try KeyedWriter(stores.keyed(stores.catalog), runs: Counter(.runs, stores), &cursors)
        for list in [CatalogKey.collections, [CatalogKey.groupMembersKind]] {
            for (key, record) in try stores.catalogRecords(under: list, &cursors) {
                let number = try CollectionRecord.number(record.span.bytes, key: key.span.bytes)
                try writer.put(key, CollectionRecord.bytes(number, key: key), &cursors)
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
