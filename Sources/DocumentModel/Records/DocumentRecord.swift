// SPDX-License-Identifier: Apache-2.0

/// A copy of a stored document, whose fields are read from its bytes on demand.
///
/// Its checksum was verified when the copy was made, so the bytes are those that were written.
package struct DocumentRecord: Sendable {
    /// The fields, as a map.
    package let root: StoredValue
    /// Where the encoded ID begins. The record follows it, and its fields follow the record's head.
    private let start: Int

    /// Creates the record of a document that is not stored.
    package init(_ document: Document, database: DatabaseID) {
        var encoder = KeyEncoder()
        encoder.append(segment: document.path.id)
        let record = StoredDocumentEncoder.record(
            of: document.fields, createTime: document.createTime, updateTime: document.updateTime,
            key: encoder.bytes, database: database)
        let bytes = StoredBytes(
            count: encoder.bytes.count + record.count, in: document.path.collection.resource, of: database)
        bytes.fill(from: 0, with: unsafe encoder.bytes.span.bytes)
        bytes.fill(from: encoder.bytes.count, with: unsafe record.span.bytes)
        self.init(bytes, start: 0, idEnd: encoder.bytes.count, end: encoder.bytes.count + record.count)
    }

    fileprivate init(_ bytes: StoredBytes, start: Int, idEnd: Int, end: Int) {
        root = StoredValue(fieldsOf: bytes, at: idEnd + StoredDocument.headSize, end: end)
        self.start = start
    }

    private var idEnd: Int { root.offset - StoredDocument.headSize }

    /// The document's collection.
    package var collection: CollectionPath { CollectionPath(root.bytes.collection) }

    package func id() throws(StoredFormatError) -> Text {
        try unsafe root.bytes.withBytes(from: start, to: idEnd) { id throws(StoredFormatError) in
            var reader = KeyReader(unsafe id.bytes)
            return try reader.segment()
        }
    }

    package func path() throws(StoredFormatError) -> DocumentPath { collection.document(try id()) }

    package func createTime() throws(StoredFormatError) -> Timestamp { try time(at: 8) }
    package func updateTime() throws(StoredFormatError) -> Timestamp { try time(at: 16) }

    package func fields() throws(StoredFormatError) -> Fields {
        guard case .map(let fields) = try root.value() else { return .empty }
        return fields
    }

    package func document() throws(StoredFormatError) -> Document {
        Document(path: try path(), fields: try fields(), createTime: try createTime(), updateTime: try updateTime())
    }

    private func time(at offset: Int) throws(StoredFormatError) -> Timestamp {
        unsafe try root.bytes.read(from: idEnd + offset, to: root.end) { (reader) throws(StoredFormatError) in
            unsafe try reader.timestamp()
        }
    }
}

/// Memory for several records of one collection, allocated at once. It lives as long as any of them.
package struct RecordArena {
    private let bytes: StoredBytes
    private var used = 0

    /// - Parameter count: the bytes of all records and of their encoded IDs.
    package init(count: Int, in collection: CollectionPath, database: DatabaseID) {
        bytes = StoredBytes(count: count, in: collection.resource, of: database)
    }

    /// Copies a record after verifying its checksum.
    ///
    /// - Parameters:
    ///   - record: must fit, with its encoded ID, into the remaining memory.
    ///   - key: the record's key, which its checksum covers.
    ///   - idOffset: where the encoded ID begins in the key.
    ///   - isIntact: whether the checksum was verified already; see ``StoredDocument/areIntact(_:key:and:key:)``.
    package mutating func copy(
        _ record: RawSpan, key: RawSpan, idOffset: Int
    ) throws(StoredFormatError) -> DocumentRecord {
        try StoredDocument.check(record, key: key)
        let id = key.extracting(idOffset..<key.byteCount)
        // Retains once for the record, and not for reading the bytes.
        let bytes = bytes
        let start = used
        let idEnd = start + id.byteCount
        used = idEnd + record.byteCount
        bytes.fill(from: start, with: id)
        bytes.fill(from: idEnd, with: record)
        return DocumentRecord(bytes, start: start, idEnd: idEnd, end: used)
    }
}
