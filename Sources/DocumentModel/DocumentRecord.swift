// SPDX-License-Identifier: Apache-2.0

/// A document as it is stored, copied out of the store: its fields are read from the bytes when they are asked for.
///
/// Its checksum was compared when the copy was made, so the bytes are those that were written.
package struct DocumentRecord: Sendable {
    package let collection: CollectionPath
    /// The encoded ID, then the record.
    private let bytes: [UInt8]
    private let idCount: Int
    private let database: DatabaseID

    /// Copies a record.
    ///
    /// - Parameters:
    ///   - key: the key under which the record stands, part of its checksum.
    ///   - idOffset: where the encoded ID begins in the key.
    package init(
        _ record: RawSpan, key: RawSpan, idOffset: Int, in collection: CollectionPath, database: DatabaseID
    ) throws(StoredFormatError) {
        _ = try StoredDocument(record, key: key, database: database)
        self.collection = collection
        self.database = database
        idCount = key.byteCount - idOffset
        let count = idCount + record.byteCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        unsafe key.extracting(idOffset..<key.byteCount).withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        unsafe record.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        self.bytes = bytes
    }

    /// A document that is not stored, as a record.
    package init(_ document: Document, database: DatabaseID) {
        var encoder = KeyEncoder()
        encoder.append(segment: document.path.id)
        collection = document.path.collection
        idCount = encoder.bytes.count
        self.database = database
        bytes =
            encoder.bytes
            + StoredDocumentEncoder.record(
                of: document.fields, createTime: document.createTime, updateTime: document.updateTime,
                key: encoder.bytes, database: database)
    }

    /// How many bytes the record has in the store.
    package var byteCount: Int { bytes.count - idCount }

    package func id() throws(StoredFormatError) -> Text {
        var reader = KeyReader(unsafe bytes.span.bytes)
        return try reader.segment()
    }

    package func path() throws(StoredFormatError) -> DocumentPath { collection.document(try id()) }

    package func createTime() throws(StoredFormatError) -> Timestamp { try time(at: 8) }
    package func updateTime() throws(StoredFormatError) -> Timestamp { try time(at: 16) }

    /// The fields as a map.
    package var root: StoredValue {
        StoredValue(fieldsOf: bytes, at: idCount + StoredDocument.headSize, database: database)
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
        var name = name
        let result = name.withUTF8 { name in
            unsafe bytes.withUnsafeBytes { bytes in
                Result { () throws(StoredFormatError) in
                    var reader = unsafe StoredReader(
                        base: bytes.baseAddress!, offset: idCount + StoredDocument.headSize, end: bytes.count,
                        database: database)
                    let isThere = unsafe try reader.seekField(UnsafeRawBufferPointer(name))
                    return isThere ? unsafe try reader.value() : nil
                }
            }
        }
        return try result.get()
    }

    package func fields() throws(StoredFormatError) -> Fields {
        guard case .map(let fields) = try root.value() else { return .empty }
        return fields
    }

    package func document() throws(StoredFormatError) -> Document {
        Document(path: try path(), fields: try fields(), createTime: try createTime(), updateTime: try updateTime())
    }

    private func time(at offset: Int) throws(StoredFormatError) -> Timestamp {
        let raw = unsafe bytes.span.bytes
        let microseconds = Int64(
            littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: idCount + offset, as: Int64.self))
        guard let time = Timestamp(microseconds: microseconds) else {
            throw StoredFormatError("a stored time is outside the years 1 to 9999")
        }
        return time
    }
}
