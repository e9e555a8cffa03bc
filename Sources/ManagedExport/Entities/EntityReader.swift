// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A document of an export.
package struct ExportedDocument: Sendable {
    /// The project and database that it was exported from.
    package let database: DatabaseID
    package let path: DocumentPath
    package let fields: Fields
}

/// Reads the entities of an export.
package enum EntityReader {
    /// The document of a record.
    package static func document(_ record: [UInt8]) throws(ExportFormatError) -> ExportedDocument {
        var reader = WireReader(record)
        var key: EntityKey?
        var fields = PropertyCollector()
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.key, .bytes(let range)): key = try EntityKey(reader.message(range))
            case (EntityLayout.property, .bytes(let range)), (EntityLayout.rawProperty, .bytes(let range)):
                try fields.add(reader.message(range), depth: 0)
            default: try reader.skip(payload)
            }
        }
        guard let key, !key.segments.isEmpty else { throw ExportFormatError("a record has no name of a document") }
        return ExportedDocument(
            database: key.database, path: DocumentPath(ResourcePath(segments: key.segments)), fields: fields.fields)
    }

    /// The fields of an entity within a value.
    static func fields(_ message: WireReader, depth: Int) throws(ExportFormatError) -> Fields {
        // Documents nest 20 levels (D-13); the recursion needs some bound.
        guard depth < 100 else { throw ExportFormatError("a map is nested too deeply") }
        var reader = message
        var fields = PropertyCollector()
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.property, .bytes(let range)), (EntityLayout.rawProperty, .bytes(let range)):
                try fields.add(reader.message(range), depth: depth)
            default: try reader.skip(payload)
            }
        }
        return fields.fields
    }
}

/// The project, database and path of a key.
private struct EntityKey {
    var database: DatabaseID
    var segments: [Text] = []

    init(_ message: WireReader) throws(ExportFormatError) {
        var reader = message
        var project: Text = ""
        var id = EntityWriter.defaultID
        while let (field, payload) = try reader.next() {
            switch (field, payload) {
            case (EntityLayout.Key.app, .bytes(let range)): project = try reader.project(range)
            case (EntityLayout.Key.database, .bytes(let range)): id = try reader.text(range)
            case (EntityLayout.Key.path, .bytes(let range)):
                var path = reader.message(range)
                while let (field, payload) = try path.next() {
                    guard field == EntityLayout.Key.element, case .group = payload else {
                        try path.skip(payload)
                        continue
                    }
                    segments += try path.element(
                        EntityLayout.Key.kind, EntityLayout.Key.number, EntityLayout.Key.name)
                }
            default: try reader.skip(payload)
            }
        }
        database = DatabaseID(project: project, database: id)
    }
}

extension WireReader {
    /// The text of bytes that are UTF-8.
    func text(_ range: Range<Int>) throws(ExportFormatError) -> Text {
        guard let string = String(validating: buffer[range], as: UTF8.self) else {
            throw ExportFormatError("a text is not UTF-8")
        }
        return Text(string)
    }

    /// The project of an app's name: `dev~P` of an emulator, `s~P` and others of production.
    func project(_ range: Range<Int>) throws(ExportFormatError) -> Text {
        let app = try text(range).string
        return Text(app.firstIndex(of: "~").map { String(app[app.index(after: $0)...]) } ?? app)
    }

    /// The two IDs of one group of a path, whose start has been read.
    mutating func element(_ kind: Int, _ number: Int, _ name: Int) throws(ExportFormatError) -> [Text] {
        var collection: Text?
        var id: Text?
        while let (field, payload) = try next() {
            switch (field, payload) {
            case (kind, .bytes(let range)): collection = try text(range)
            case (name, .bytes(let range)): id = try text(range)
            case (number, .varint(let value)): id = Text("__id\(Int64(bitPattern: value))__")
            default: try skip(payload)
            }
        }
        guard let collection, let id else { throw ExportFormatError("a name of a document has no ID") }
        return [collection, id]
    }
}
