// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import LMDB

/// The record of a file's format and identity. It is JSON, so that every later version can read it.
struct DatabaseHeader {
    /// Raised with every change of docs/format.md that an older version could not read.
    static let currentFormat: Int64 = 5

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
        if let header = try storage.read({ (transaction) throws(EngineError) in try read(transaction) }) {
            return header
        }
        guard !storage.environment.options.readOnly else { throw .neverCompleted(storage.environment.path) }
        return try storage.write { (transaction) throws(EngineError) in
            // Another process may have written it.
            if let other = try read(transaction) { return other }
            return try write(identity, &transaction)
        }
    }

    /// Writes the header of the current format.
    @discardableResult
    static func write(
        _ identity: DatabaseID, _ transaction: inout Transaction
    ) throws(EngineError) -> DatabaseHeader {
        try transaction.put(CatalogKey.header, json(identity), into: .catalog)
        return DatabaseHeader(identity: identity)
    }

    /// Only a repair reads an older format, to upgrade it.
    func requireCurrentFormat(of path: String) throws(EngineError) {
        guard format < DatabaseHeader.currentFormat else { return }
        throw .unusable(
            "The database has format \(format), made by an older version of Hearth. Copy the file, then run "
                + "`hearth repair \(path)` to upgrade it to format \(DatabaseHeader.currentFormat). Or open it with the "
                + "version that made it, and export it.")
    }

    private init(identity: DatabaseID) {
        self.identity = identity
        format = DatabaseHeader.currentFormat
    }

    private init(_ record: [UInt8]) throws(EngineError) {
        let node: JSONNode
        do { node = try JSONParser.parse(record) } catch { throw .damaged("the header is no JSON") }
        guard let format = node["format"]?.number?.int64, format > 0 else {
            throw .damaged("the header has no format number")
        }
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
