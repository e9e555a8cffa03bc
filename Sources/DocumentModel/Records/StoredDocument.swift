// SPDX-License-Identifier: Apache-2.0

/// A stored document, read in place: reading one field does not read the others.
///
/// The initializer verifies the checksum, so only bytes that were written are ever returned.
package struct StoredDocument: ~Escapable {
    private let record: RawSpan
    private let database: DatabaseID

    static let headSize = 24

    /// - Parameter key: the record's key, which its checksum covers.
    @_lifetime(copy record)
    package init(_ record: RawSpan, key: RawSpan, database: DatabaseID) throws(StoredFormatError) {
        try StoredDocument.check(record, key: key)
        self.record = record
        self.database = database
    }

    /// Verifies that the bytes were written under the key.
    static func check(_ record: RawSpan, key: RawSpan) throws(StoredFormatError) {
        guard record.byteCount > StoredDocument.headSize else { throw .truncated }
        let matches = unsafe record.withUnsafeBytes { bytes in
            unsafe key.withUnsafeBytes { unsafe Checksum.of(content(bytes), key: $0) == written(bytes) }
        }
        guard matches else {
            throw StoredFormatError("a document's bytes are not those that were written: its checksum differs")
        }
    }

    private static func content(_ record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: record[8...])
    }

    private static func written(_ record: UnsafeRawBufferPointer) -> UInt64 {
        unsafe UInt64(littleEndian: record.loadUnaligned(as: UInt64.self))
    }

    package func createTime() throws(StoredFormatError) -> Timestamp {
        unsafe try read(at: 8) { reader throws(StoredFormatError) in unsafe try reader.timestamp() }
    }

    package func updateTime() throws(StoredFormatError) -> Timestamp {
        unsafe try read(at: 16) { reader throws(StoredFormatError) in unsafe try reader.timestamp() }
    }

    package func fields() throws(StoredFormatError) -> Fields {
        unsafe try read(at: StoredDocument.headSize) { reader throws(StoredFormatError) in unsafe try reader.fields() }
    }

    /// The value at a path that leads through maps only (I-3); nil if there is none.
    package func value(at path: FieldPath) throws(StoredFormatError) -> Value? {
        unsafe try read(at: StoredDocument.headSize) { reader throws(StoredFormatError) in
            unsafe try reader.value(at: path)
        }
    }

    private func read<R>(
        at offset: Int, _ body: (inout StoredReader) throws(StoredFormatError) -> R
    ) throws(StoredFormatError) -> R {
        let result: Result<R, StoredFormatError> = unsafe record.withUnsafeBytes { bytes in
            var reader = unsafe StoredReader(
                base: bytes.baseAddress!, offset: offset, end: bytes.count, database: database)
            do throws(StoredFormatError) {
                return .success(unsafe try body(&reader))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
