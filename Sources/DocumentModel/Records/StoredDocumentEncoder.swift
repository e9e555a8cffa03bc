// SPDX-License-Identifier: Apache-2.0

/// Writes the stored form of a document: checksum, times, and the fields with their directory (docs/format.md).
package enum StoredDocumentEncoder {
    /// The record of a document. References into `database` are stored without its name.
    package static func record(
        of fields: Fields, createTime: Timestamp, updateTime: Timestamp, key: [UInt8], database: DatabaseID
    ) -> [UInt8] {
        let room = StoredDocument.headSize + fields.storedRoom
        var record = unsafe StoredWriter.bytes(atMost: room, database: database) { writer in
            for number in [0, createTime.microseconds, updateTime.microseconds] {
                unsafe writer.append(fixed: UInt64(bitPattern: number))
            }
            unsafe writer.append(fields)
        }
        writeChecksum(into: &record, key: key)
        return record
    }

    /// The stored form of the fields: the record without its checksum and times.
    package static func content(of fields: Fields, database: DatabaseID) -> [UInt8] {
        unsafe StoredWriter.bytes(atMost: fields.storedRoom, database: database) { writer in
            unsafe writer.append(fields)
        }
    }

    /// Wraps the result of ``content(of:database:)`` into a record.
    package static func record(
        of content: ArraySlice<UInt8>, createTime: Timestamp, updateTime: Timestamp, key: [UInt8]
    ) -> [UInt8] {
        var record: [UInt8] = []
        record.reserveCapacity(StoredDocument.headSize + content.count)
        for number in [0, createTime.microseconds, updateTime.microseconds] {
            unsafe withUnsafeBytes(of: number.littleEndian) { raw in unsafe record.append(contentsOf: raw) }
        }
        record.append(contentsOf: content)
        writeChecksum(into: &record, key: key)
        return record
    }

    /// Puts the checksum of a record into its first eight bytes.
    static func writeChecksum(into record: inout [UInt8], key: [UInt8]) {
        let checksum = unsafe record.withUnsafeBytes { record in
            unsafe key.withUnsafeBytes { key in
                unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: record.dropFirst(8)), key: key)
            }
        }
        unsafe record.withUnsafeMutableBytes { unsafe $0.storeBytes(of: checksum.littleEndian, as: UInt64.self) }
    }
}
