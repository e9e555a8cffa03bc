// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

extension DocumentRecord {
    func documentPath() throws(EngineError) -> DocumentPath {
        do throws(StoredFormatError) { return try path() } catch { throw EngineError(error) }
    }

    func collectionPath() throws(EngineError) -> CollectionPath {
        do throws(StoredFormatError) { return try collection() } catch { throw EngineError(error) }
    }

    /// The document with all its fields.
    func decoded() throws(EngineError) -> Document {
        do throws(StoredFormatError) { return try document() } catch { throw EngineError(error) }
    }

    init(
        _ record: RawSpan, _ key: RawSpan, idOffset: Int, _ collection: CollectionPath, database: DatabaseID
    ) throws(EngineError) {
        var arena = RecordArena(count: key.byteCount - idOffset + record.byteCount, in: collection, database: database)
        try self.init(record, key, idOffset: idOffset, collection, copiedInto: &arena)
    }

    /// - Parameter collection: that of the arena.
    init(
        _ record: RawSpan, _ key: RawSpan, idOffset: Int, _ collection: CollectionPath,
        copiedInto arena: inout RecordArena
    ) throws(EngineError) {
        do throws(StoredFormatError) {
            self = try arena.copy(record, key: key, idOffset: idOffset, in: RawSpan())
        } catch {
            throw EngineError(error, in: try collection.document(key: key))
        }
    }
}

extension Document {
    /// Decodes a stored record.
    init(_ path: DocumentPath, _ record: RawSpan, key: RawSpan, database: DatabaseID) throws(EngineError) {
        do throws(StoredFormatError) {
            let stored = try StoredDocument(record, key: key, database: database)
            self.init(
                path: path, fields: try stored.fields(), createTime: try stored.createTime(),
                updateTime: try stored.updateTime())
        } catch {
            throw EngineError(error, in: path)
        }
    }
}
