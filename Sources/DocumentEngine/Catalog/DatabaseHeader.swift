// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText
internal import LMDB

/// The record of a file's format and identity. It is JSON, so that every later version can read it.
struct DatabaseHeader {
    /// Raised with every change of docs/format.md that an older version could not read.
    static let currentFormat: Int64 = 5
    /// The format of a replica: a client's documents and its queue of writes. It has a number of its own so that a program that
    /// does not know the queue writes nothing past it. A file is a replica from its first commit on, or never.
    static let replicaFormat: Int64 = 6

    let identity: DatabaseID
    let format: Int64

    /// The header in the file, or nil if the file was never completely created.
    static func read(_ transaction: borrowing Transaction) throws(EngineError) -> DatabaseHeader? {
        let key = CatalogKey.header
        guard let record = try transaction.get(key.span.bytes, from: .catalog) else { return nil }
        return try DatabaseHeader([UInt8](copying: record))
    }

    /// - Parameters:
    ///   - identity: that of a new database.
    ///   - isReplica: whether a new database is a replica.
    /// - Throws: `incomplete` if there is none and nothing may be written.
    static func readOrWrite(
        _ storage: Storage, identity: DatabaseID, isReplica: Bool
    ) throws(EngineError) -> DatabaseHeader {
        if let header = try storage.read({ (transaction) throws(EngineError) in try read(transaction) }) {
            return header
        }
        guard !storage.environment.options.readOnly else { throw .incomplete(storage.environment.path) }
        return try storage.write { (transaction) throws(EngineError) in
            // Another process may have written it.
            if let other = try read(transaction) { return other }
            return try write(identity, format: isReplica ? replicaFormat : currentFormat, &transaction)
        }
    }

    @discardableResult
    static func write(
        _ identity: DatabaseID, format: Int64 = currentFormat, _ transaction: inout Transaction
    ) throws(EngineError) -> DatabaseHeader {
        let header = DatabaseHeader(identity: identity, format: format)
        try transaction.put(CatalogKey.header, header.json, into: .catalog)
        return header
    }

    /// The header of a replica as it stands in the file.
    static func replicaBytes(_ identity: DatabaseID) -> [UInt8] {
        DatabaseHeader(identity: identity, format: replicaFormat).json
    }

    var isReplica: Bool { format == DatabaseHeader.replicaFormat }

    /// Throws if a replica would be written without its queue, or if another database would be taken for a replica.
    func requireUse(asReplica: Bool, readOnly: Bool, of path: String) throws(EngineError) {
        guard isReplica != asReplica else { return }
        if asReplica {
            throw .unusable(
                "\(path) is a database of its own, not the offline data of a client of Cloud Firestore. Choose another path, "
                    + "or move it to the server with `hearth push`, which makes the file the offline data.")
        }
        guard !readOnly else { return }
        throw .unusable(
            "\(path) is the offline data of a client of Cloud Firestore: every write to it must go through the client's queue, "
                + "or the server would never learn of it. Open it with its remote, or for reading only.")
    }

    /// Only a repair reads an older format, to upgrade it.
    func requireCurrentFormat(of path: String) throws(EngineError) {
        guard format < DatabaseHeader.currentFormat else { return }
        throw .unusable(
            "The database has format \(format), made by an older version of Hearth. Copy the file, then run "
                + "`hearth repair \(path)` to upgrade it to format \(DatabaseHeader.currentFormat). Or open it with the "
                + "version that made it, and export it.")
    }

    private init(identity: DatabaseID, format: Int64) {
        self.identity = identity
        self.format = format
    }

    private init(_ record: [UInt8]) throws(EngineError) {
        let node: JSONNode
        do { node = try JSONParser.parse(record) } catch { throw .damaged("the header is no JSON") }
        guard let format = node["format"]?.number?.int64, format > 0 else {
            throw .damaged("the header has no format number")
        }
        guard format <= DatabaseHeader.replicaFormat else {
            throw .unusable(
                "The database has format \(format); this version of Hearth reads up to format "
                    + "\(DatabaseHeader.replicaFormat). Use a newer version of Hearth.")
        }
        guard let project = node["project"]?.string, let database = node["database"]?.string else {
            throw .damaged("the header does not name the database")
        }
        identity = DatabaseID(project: Text(project), database: Text(database))
        self.format = format
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("format")
        writer.integer(format)
        writer.key("project")
        writer.string(identity.project.string)
        writer.key("database")
        writer.string(identity.database.string)
        writer.endObject()
        return writer.bytes
    }
}
