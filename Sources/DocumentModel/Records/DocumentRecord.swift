// SPDX-License-Identifier: Apache-2.0

/// A copy of a stored document, whose fields are read from its bytes on demand.
///
/// Its checksum was verified when the copy was made, so the bytes are those that were written.
package struct DocumentRecord: Sendable {
    /// The fields, as a map.
    package let root: StoredValue
    /// Where the encoded ID begins, or the encoded path without its end mark if the bytes have no collection. The record follows it,
    /// and its fields follow the record's head.
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

    /// The memory that its bytes take, its encoded name included.
    package var byteCount: Int { root.end - start }

    /// The document's collection.
    package func collection() throws(StoredFormatError) -> CollectionPath {
        if root.bytes.hasCollection { return CollectionPath(root.bytes.collection) }
        return try path().collection
    }

    package func id() throws(StoredFormatError) -> Text {
        let isPath = !root.bytes.hasCollection
        return try readName { (reader, end) throws(StoredFormatError) in
            while isPath {
                var next = reader
                try next.skipSegment()
                guard next.offset < end else { break }
                reader = next
            }
            return try reader.segment()
        }
    }

    package func path() throws(StoredFormatError) -> DocumentPath {
        if root.bytes.hasCollection { return CollectionPath(root.bytes.collection).document(try id()) }
        return try readName { (reader, end) throws(StoredFormatError) in
            var segments: [Text] = []
            while reader.offset < end { segments.append(try reader.segment()) }
            guard !segments.isEmpty, segments.count % 2 == 0 else {
                throw StoredFormatError("a document's path is a collection's")
            }
            return DocumentPath(ResourcePath(segments: segments))
        }
    }

    /// Calls `body` with a reader at the encoded ID or path, and where that ends.
    private func readName<R>(
        _ body: (inout KeyReader, _ end: Int) throws(StoredFormatError) -> R
    ) throws(StoredFormatError) -> R {
        try unsafe root.bytes.withBytes(from: start, to: idEnd) { name throws(StoredFormatError) in
            var reader = KeyReader(unsafe name.bytes)
            return try body(&reader, name.count)
        }
    }

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

/// Memory for several records, allocated at once. It lives as long as any of them.
package struct RecordArena {
    private let bytes: StoredBytes
    private var used = 0

    /// - Parameters:
    ///   - count: the bytes of all records, of their encoded IDs, and of the paths that ``copy(_:key:idOffset:in:)`` gets.
    ///   - collection: of all records; nil if each record has its own.
    package init(count: Int, in collection: CollectionPath?, database: DatabaseID) {
        bytes = StoredBytes(count: count, in: collection?.resource ?? .root, of: database)
    }

    /// Copies a record after verifying its checksum.
    ///
    /// - Parameters:
    ///   - record: must fit, with its encoded ID and `path`, into the remaining memory.
    ///   - key: the record's key, which its checksum covers.
    ///   - idOffset: where the encoded ID begins in the key.
    ///   - path: the encoded path of the record's collection, without an end mark; empty if all records have the arena's.
    package mutating func copy(
        _ record: RawSpan, key: RawSpan, idOffset: Int, in path: RawSpan
    ) throws(StoredFormatError) -> DocumentRecord {
        try StoredDocument.check(record, key: key)
        let id = key.extracting(idOffset..<key.byteCount)
        // Retains once for the record, and not for reading the bytes.
        let bytes = bytes
        let start = used
        let idEnd = start + path.byteCount + id.byteCount
        used = idEnd + record.byteCount
        bytes.fill(from: start, with: path, id, record)
        return DocumentRecord(bytes, start: start, idEnd: idEnd, end: used)
    }
}
