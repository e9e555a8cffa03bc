// SPDX-License-Identifier: Apache-2.0

/// A document as it is stored, copied out of the store: its fields are read from the bytes when they are asked for.
///
/// Its checksum was compared when the copy was made, so the bytes are those that were written.
package struct DocumentRecord: Sendable {
    private let bytes: StoredBytes
    /// Of the encoded ID, which the record follows.
    private let start: Int
    private let idEnd: Int
    private let end: Int

    /// A document that is not stored, as a record.
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
        self.bytes = bytes
        self.start = start
        self.idEnd = idEnd
        self.end = end
    }

    /// The document's collection.
    package var collection: CollectionPath { CollectionPath(bytes.collection) }

    /// How many bytes the record has in the store.
    package var byteCount: Int { end - idEnd }

    package func id() throws(StoredFormatError) -> Text {
        try unsafe bytes.withBytes(from: start, to: idEnd) { id throws(StoredFormatError) in
            var reader = KeyReader(unsafe id.bytes)
            return try reader.segment()
        }
    }

    package func path() throws(StoredFormatError) -> DocumentPath { collection.document(try id()) }

    package func createTime() throws(StoredFormatError) -> Timestamp { try time(at: 8) }
    package func updateTime() throws(StoredFormatError) -> Timestamp { try time(at: 16) }

    /// The fields as a map.
    package var root: StoredValue {
        StoredValue(fieldsOf: bytes, at: idEnd + StoredDocument.headSize, end: end)
    }

    /// The value at a path, descending through maps only (I-3); nil if there is none.
    package func value(at path: FieldPath) throws(StoredFormatError) -> Value? {
        var place = root
        for name in path.segments {
            guard let next = try place.field(name.string) else { return nil }
            place = next
        }
        return try place.value()
    }

    /// The value of one field; nil if there is none.
    package func value(named name: String) throws(StoredFormatError) -> Value? {
        unsafe try read(name) { (reader) throws(StoredFormatError) in unsafe try reader.value() }
    }

    // The commonest types without a value between; nil also for a field of another type.

    package func boolean(named name: String) throws(StoredFormatError) -> Bool? {
        unsafe try read(name) { (reader) throws(StoredFormatError) in unsafe try reader.taggedBoolean() }
    }

    package func integer(named name: String) throws(StoredFormatError) -> Int64? {
        unsafe try read(name) { (reader) throws(StoredFormatError) in unsafe try reader.taggedInteger() }
    }

    package func double(named name: String) throws(StoredFormatError) -> Double? {
        unsafe try read(name) { (reader) throws(StoredFormatError) in unsafe try reader.taggedDouble() }
    }

    package func string(named name: String) throws(StoredFormatError) -> String? {
        unsafe try read(name) { (reader) throws(StoredFormatError) in unsafe try reader.taggedString() }
    }

    /// Reads one field; nil if there is none.
    private func read<R>(
        _ name: String, _ body: (inout StoredReader) throws(StoredFormatError) -> R?
    ) throws(StoredFormatError) -> R? {
        unsafe try bytes.read(from: idEnd + StoredDocument.headSize, to: end) { (reader) throws(StoredFormatError) in
            unsafe try reader.seekField(name) ? try body(&reader) : nil
        }
    }

    package func fields() throws(StoredFormatError) -> Fields {
        guard case .map(let fields) = try root.value() else { return .empty }
        return fields
    }

    package func document() throws(StoredFormatError) -> Document {
        Document(path: try path(), fields: try fields(), createTime: try createTime(), updateTime: try updateTime())
    }

    private func time(at offset: Int) throws(StoredFormatError) -> Timestamp {
        unsafe try bytes.read(from: idEnd + offset, to: end) { (reader) throws(StoredFormatError) in
            unsafe try reader.timestamp()
        }
    }
}

/// Memory for several records of one collection: one allocation instead of one each. It is held as long as one of them is.
package struct RecordArena {
    private let bytes: StoredBytes
    private var used = 0

    /// - Parameter count: the bytes of all records and their encoded IDs.
    package init(count: Int, in collection: CollectionPath, database: DatabaseID) {
        bytes = StoredBytes(count: count, in: collection.resource, of: database)
    }

    /// Copies a record, after its checksum has been compared.
    ///
    /// - Parameters:
    ///   - record: with its encoded ID it must fit into the bytes that were asked for.
    ///   - key: the key under which the record stands, part of its checksum.
    ///   - idOffset: where the encoded ID begins in the key.
    package mutating func copy(
        _ record: RawSpan, key: RawSpan, idOffset: Int
    ) throws(StoredFormatError) -> DocumentRecord {
        try StoredDocument.check(record, key: key)
        let id = key.extracting(idOffset..<key.byteCount)
        // One reference for the record, and none to look at the bytes.
        let bytes = bytes
        let start = used
        let idEnd = start + id.byteCount
        used = idEnd + record.byteCount
        bytes.fill(from: start, with: id)
        bytes.fill(from: idEnd, with: record)
        return DocumentRecord(bytes, start: start, idEnd: idEnd, end: used)
    }
}
