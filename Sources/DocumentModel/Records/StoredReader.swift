// SPDX-License-Identifier: Apache-2.0

/// Reads stored values from raw bytes. Checks every length: damaged bytes throw ``StoredFormatError``.
///
/// The memory must outlive the reader.
@unsafe
struct StoredReader {
    let base: UnsafeRawPointer
    var offset: Int
    let end: Int
    /// Not retained, like the memory.
    unowned(unsafe) let database: DatabaseID
    /// How many containers the reader is inside. Damaged bytes could claim more than the stack holds.
    private var depth = 0

    init(base: UnsafeRawPointer, offset: Int, end: Int, database: DatabaseID) {
        unsafe self.base = unsafe base
        unsafe self.offset = offset
        unsafe self.end = end
        unsafe self.database = database
    }

    mutating func byte() throws(StoredFormatError) -> UInt8 {
        guard unsafe offset < end else { throw .truncated }
        defer { unsafe offset += 1 }
        return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    mutating func fixed() throws(StoredFormatError) -> UInt64 {
        let start = unsafe try take(8)
        return UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }

    mutating func variable() throws(StoredFormatError) -> UInt64 {
        if unsafe offset < end {
            let only = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
            if only < 0x80 {
                unsafe offset += 1
                return UInt64(only)
            }
        }
        return unsafe try longVariable()
    }

    private mutating func longVariable() throws(StoredFormatError) -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let next = unsafe try byte()
            number |= UInt64(next & 0x7F) << shift
            if next & 0x80 == 0 { return number }
            shift += 7
        }
        throw StoredFormatError("a stored number is too long")
    }

    /// Reads the length of something that ends before `end`.
    mutating func length() throws(StoredFormatError) -> Int {
        let length = unsafe try variable()
        guard length <= UInt64(unsafe end - offset) else { throw .truncated }
        return Int(length)
    }

    /// Skips `count` bytes and returns where they begin.
    mutating func take(_ count: Int) throws(StoredFormatError) -> Int {
        guard unsafe count <= end - offset else { throw .truncated }
        defer { unsafe offset += count }
        return unsafe offset
    }

    mutating func text() throws(StoredFormatError) -> Text {
        let count = unsafe try length()
        let start = unsafe try take(count)
        return unsafe try text(UnsafeRawBufferPointer(start: base + start, count: count))
    }

    func text(_ utf8: UnsafeRawBufferPointer) throws(StoredFormatError) -> Text {
        guard let text = unsafe Text(validating: utf8) else { throw StoredFormatError("stored text is not UTF-8") }
        return text
    }

    mutating func value() throws(StoredFormatError) -> Value {
        switch unsafe try byte() {
        case StoredTag.null: return .null
        case StoredTag.false: return .boolean(false)
        case StoredTag.true: return .boolean(true)
        case StoredTag.integer: return .integer(unsafe try integer())
        case StoredTag.double: return .double(Double(bitPattern: unsafe try fixed()))
        case StoredTag.timestamp: return .timestamp(unsafe try timestamp())
        case StoredTag.string: return .string(unsafe try text())
        case StoredTag.bytes:
            let count = unsafe try length()
            let start = unsafe try take(count)
            return .bytes(unsafe Array(UnsafeRawBufferPointer(start: base + start, count: count)))
        case StoredTag.localReference: return .reference(Reference(database: unsafe database, path: unsafe try path()))
        case StoredTag.foreignReference:
            let database = unsafe DatabaseID(project: try text(), database: try text())
            return .reference(Reference(database: database, path: unsafe try path()))
        case StoredTag.geoPoint: return .geoPoint(unsafe try geoPoint())
        case StoredTag.array: return .array(unsafe try array())
        case StoredTag.vector: return .vector(unsafe try vector())
        case StoredTag.map:
            var body = unsafe try self.body()
            return .map(unsafe try body.fields())
        default: throw StoredFormatError("a stored value has an unknown type")
        }
    }

    mutating func integer() throws(StoredFormatError) -> Int64 {
        let zigzag = unsafe try variable()
        return Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
    }

    /// Skips a value.
    mutating func skipValue() throws(StoredFormatError) {
        switch unsafe try byte() {
        case StoredTag.null, StoredTag.false, StoredTag.true: break
        case StoredTag.integer: _ = unsafe try variable()
        case StoredTag.double, StoredTag.timestamp: _ = unsafe try take(8)
        case StoredTag.geoPoint: _ = unsafe try take(16)
        case StoredTag.string, StoredTag.bytes, StoredTag.array, StoredTag.map: _ = unsafe try take(try length())
        case StoredTag.vector:
            let count = unsafe try length()
            for _ in 0..<count { _ = unsafe try take(8) }
        case StoredTag.localReference: unsafe try skipPath()
        case StoredTag.foreignReference:
            for _ in 0..<2 { _ = unsafe try take(try length()) }
            unsafe try skipPath()
        default: throw StoredFormatError("a stored value has an unknown type")
        }
    }

    private mutating func skipPath() throws(StoredFormatError) {
        for _ in 0..<(unsafe try length()) { _ = unsafe try take(try length()) }
    }

    mutating func timestamp() throws(StoredFormatError) -> Timestamp {
        guard let time = Timestamp(microseconds: Int64(bitPattern: unsafe try fixed())) else {
            throw StoredFormatError("a stored time is outside the years 1 to 9999")
        }
        return time
    }

    private mutating func geoPoint() throws(StoredFormatError) -> GeoPoint {
        let latitude = Double(bitPattern: unsafe try fixed())
        guard let point = GeoPoint(latitude: latitude, longitude: Double(bitPattern: unsafe try fixed())) else {
            throw StoredFormatError("a stored geo point is outside the globe")
        }
        return point
    }

    private mutating func path() throws(StoredFormatError) -> ResourcePath {
        var segments: [Text] = []
        for _ in 0..<(unsafe try length()) { segments.append(unsafe try text()) }
        return ResourcePath(segments: segments)
    }

    private mutating func vector() throws(StoredFormatError) -> [Double] {
        let count = unsafe try length()
        var elements: [Double] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(Double(bitPattern: unsafe try fixed())) }
        return elements
    }

    private mutating func array() throws(StoredFormatError) -> [Value] {
        var body = unsafe try self.body()
        let count = unsafe try body.length()
        var elements: [Value] = []
        elements.reserveCapacity(count)
        for _ in 0..<count { elements.append(unsafe try body.value()) }
        return elements
    }

    /// A reader of the content after a length.
    mutating func body() throws(StoredFormatError) -> StoredReader {
        let count = unsafe try length()
        let start = unsafe try take(count)
        var body = unsafe StoredReader(base: base, offset: start, end: start + count, database: database)
        unsafe body.depth = depth + 1
        guard unsafe body.depth <= 64 else { throw StoredFormatError("stored values nest too deeply") }
        return unsafe body
    }
}

/// Read the tag and a value of one type; nil for another type, after reading only the tag.
extension StoredReader {
    mutating func taggedBoolean() throws(StoredFormatError) -> Bool? {
        switch unsafe try byte() {
        case StoredTag.true: true
        case StoredTag.false: false
        default: nil
        }
    }

    mutating func taggedInteger() throws(StoredFormatError) -> Int64? {
        unsafe try byte() == StoredTag.integer ? try integer() : nil
    }

    mutating func taggedDouble() throws(StoredFormatError) -> Double? {
        unsafe try byte() == StoredTag.double ? Double(bitPattern: try fixed()) : nil
    }

    mutating func taggedString() throws(StoredFormatError) -> String? {
        unsafe try byte() == StoredTag.string ? try text().string : nil
    }

    mutating func taggedTimestamp() throws(StoredFormatError) -> Timestamp? {
        unsafe try byte() == StoredTag.timestamp ? try timestamp() : nil
    }
}
