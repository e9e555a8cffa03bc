// SPDX-License-Identifier: Apache-2.0

/// Writes the stored form of a document: checksum, times, and the fields with their directory (docs/format.md).
package enum StoredDocumentEncoder {
    /// The record of a document under a key, in the database `database`, whose own references are stored without its name.
    package static func record(
        of fields: Fields, createTime: Timestamp, updateTime: Timestamp, key: [UInt8], database: DatabaseID
    ) -> [UInt8] {
        var writer = StoredWriter(database: database)
        writer.append(fixed: UInt64(0))
        writer.append(fixed: UInt64(bitPattern: createTime.microseconds))
        writer.append(fixed: UInt64(bitPattern: updateTime.microseconds))
        writer.append(fields)
        writer.seal(key: key)
        return writer.bytes
    }
}

/// Appends stored values to a byte array.
struct StoredWriter {
    private(set) var bytes: [UInt8] = []
    private let database: DatabaseID

    init(database: DatabaseID) {
        self.database = database
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

    /// The directory holds where each field begins, counted from the end of the directory: two bytes each if the fields fit in
    /// 64 KiB, else four.
    mutating func append(_ fields: Fields) {
        var body = StoredWriter(database: database)
        var starts: [Int] = []
        starts.reserveCapacity(fields.count)
        for field in fields.storage {
            starts.append(body.bytes.count)
            body.append(field.name)
            body.append(field.value)
        }
        let wide = body.bytes.count > Int(UInt16.max)
        append(variable: UInt64(fields.count) << 1 | (wide ? 1 : 0))
        for start in starts {
            for shift in stride(from: 0, to: wide ? 32 : 16, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: start >> shift))
            }
        }
        bytes.append(contentsOf: body.bytes)
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
            var body = StoredWriter(database: database)
            body.append(fields)
            append(variable: UInt64(body.bytes.count))
            bytes.append(contentsOf: body.bytes)
        }
    }

    private mutating func append(_ elements: [Value]) {
        var body = StoredWriter(database: database)
        body.append(variable: UInt64(elements.count))
        for element in elements { body.append(element) }
        bytes.append(StoredTag.array)
        append(variable: UInt64(body.bytes.count))
        bytes.append(contentsOf: body.bytes)
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

    /// Writes the checksum into the record's first eight bytes.
    mutating func seal(key: [UInt8]) {
        let checksum = unsafe bytes.withUnsafeBytes { record in
            unsafe key.withUnsafeBytes { key in
                unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: record.dropFirst(8)), key: key)
            }
        }
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * index)) }
    }
}
