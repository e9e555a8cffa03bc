// SPDX-License-Identifier: Apache-2.0

/// Writes the stored form of a document: checksum, times, and the fields with their directory (docs/format.md).
package enum StoredDocumentEncoder {
    /// The record of a document. References into `database` are stored without its name.
    package static func record(
        of fields: Fields, createTime: Timestamp, updateTime: Timestamp, key: [UInt8], database: DatabaseID
    ) -> [UInt8] {
        record(
            of: content(of: fields, database: database)[...], createTime: createTime, updateTime: updateTime, key: key)
    }

    /// The stored form of the fields: the record without its checksum and times.
    package static func content(of fields: Fields, database: DatabaseID) -> [UInt8] {
        var writer = StoredWriter(database: database, fieldCount: fields.count)
        writer.append(fields)
        return writer.bytes
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
        for index in 0..<8 { record[index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    }
}

/// Appends stored values to a byte array.
///
/// Containers are written in place. What precedes their content and depends on its length is omitted or assumed to be
/// short at first, and the content is moved if that was wrong.
struct StoredWriter {
    private(set) var bytes: [UInt8] = []
    /// Where the fields written so far begin, for all open maps, the innermost last.
    private var starts: [Int] = []
    private let database: DatabaseID

    init(database: DatabaseID, fieldCount: Int) {
        self.database = database
        // A guess that fits common documents. A wrong one costs little.
        bytes.reserveCapacity(64 + 32 * fieldCount)
        starts.reserveCapacity(fieldCount + 8)
    }

    mutating func append(fixed number: UInt64) {
        unsafe withUnsafeBytes(of: number.littleEndian) { raw in unsafe bytes.append(contentsOf: raw) }
    }

    /// LEB128: seven bits a byte, least significant first.
    mutating func append(variable number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(_ text: Text) {
        var string = text.string
        string.withUTF8 { utf8 in
            append(variable: UInt64(utf8.count))
            unsafe bytes.append(contentsOf: utf8)
        }
    }

    /// The directory holds the start of each field, counted from the end of the directory: two bytes each if the fields
    /// fit into 64 KiB, four otherwise.
    mutating func append(_ fields: Fields) {
        let head = bytes.count
        append(variable: UInt64(fields.count) << 1)
        let table = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: 2 * fields.count))
        let content = bytes.count
        for field in fields.storage {
            starts.append(bytes.count - content)
            append(field.name)
            append(field.value)
        }
        let isWide = bytes.count - content > Int(UInt16.max)
        if isWide {
            bytes[head] |= 1
            bytes.insert(contentsOf: repeatElement(0, count: 2 * fields.count), at: table)
        }
        fillDirectory(at: table, starts.suffix(fields.count), width: isWide ? 4 : 2)
        starts.removeLast(fields.count)
    }

    private mutating func fillDirectory(at table: Int, _ starts: ArraySlice<Int>, width: Int) {
        unsafe bytes.withUnsafeMutableBytes { bytes in
            for (index, start) in starts.enumerated() {
                let place = table + index * width
                if width == 2 {
                    unsafe bytes.storeBytes(of: UInt16(start).littleEndian, toByteOffset: place, as: UInt16.self)
                } else {
                    unsafe bytes.storeBytes(of: UInt32(start).littleEndian, toByteOffset: place, as: UInt32.self)
                }
            }
        }
    }

    /// Writes the length of what `body` appends, then what it appends.
    private mutating func appendSized(_ body: (inout StoredWriter) -> Void) {
        var place = bytes.count
        bytes.append(0)
        body(&self)
        var rest = bytes.count - place - 1
        bytes[place] = UInt8(rest & 0x7F)
        while rest >= 0x80 {
            rest >>= 7
            bytes[place] |= 0x80
            place += 1
            bytes.insert(UInt8(rest & 0x7F), at: place)
        }
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null: bytes.append(StoredTag.null)
        case .boolean(let flag): bytes.append(flag ? StoredTag.true : StoredTag.false)
        case .integer(let number):
            bytes.append(StoredTag.integer)
            append(variable: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
        case .double(let number):
            bytes.append(StoredTag.double)
            append(fixed: number.bitPattern)
        case .timestamp(let time):
            bytes.append(StoredTag.timestamp)
            append(fixed: UInt64(bitPattern: time.microseconds))
        case .string(let text):
            bytes.append(StoredTag.string)
            append(text)
        case .bytes(let content):
            bytes.append(StoredTag.bytes)
            append(variable: UInt64(content.count))
            bytes.append(contentsOf: content)
        case .reference(let reference): append(reference)
        case .geoPoint(let point):
            bytes.append(StoredTag.geoPoint)
            append(fixed: point.latitude.bitPattern)
            append(fixed: point.longitude.bitPattern)
        case .array(let elements): append(elements)
        case .vector(let elements):
            bytes.append(StoredTag.vector)
            append(variable: UInt64(elements.count))
            for element in elements { append(fixed: element.bitPattern) }
        case .map(let fields):
            bytes.append(StoredTag.map)
            appendSized { $0.append(fields) }
        }
    }

    private mutating func append(_ elements: [Value]) {
        bytes.append(StoredTag.array)
        appendSized { writer in
            writer.append(variable: UInt64(elements.count))
            for element in elements { writer.append(element) }
        }
    }

    private mutating func append(_ reference: Reference) {
        if reference.database == database {
            bytes.append(StoredTag.localReference)
        } else {
            bytes.append(StoredTag.foreignReference)
            append(reference.database.project)
            append(reference.database.database)
        }
        append(variable: UInt64(reference.path.count))
        for segment in reference.path.segments { append(segment) }
    }
}
