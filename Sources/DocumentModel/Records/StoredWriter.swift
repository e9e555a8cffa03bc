// SPDX-License-Identifier: Apache-2.0

/// Writes stored values into memory that has room for them: to ask an array for room byte by byte takes several times as long.
///
/// Containers are written in place. What precedes their content and depends on its length is assumed to be short at first, and
/// the content is moved if that was wrong.
@unsafe
struct StoredWriter {
    private let start: UnsafeMutablePointer<UInt8>
    private var next: UnsafeMutablePointer<UInt8>
    private let database: DatabaseID
    /// Whether the fields of every map fit into 64 KiB.
    private let isNarrow: Bool

    private init(_ start: UnsafeMutablePointer<UInt8>, room: Int, database: DatabaseID) {
        unsafe self.start = start
        unsafe next = start
        unsafe self.database = database
        unsafe isNarrow = room <= Int(UInt16.max)
    }

    /// The bytes that `body` writes, which are at most `room`.
    static func bytes(
        atMost room: Int, database: DatabaseID, _ body: (inout StoredWriter) -> Void
    ) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            var writer = unsafe StoredWriter(start, room: room, database: database)
            unsafe body(&writer)
            count = unsafe writer.next - start
            precondition(count <= room, "a stored value is within the room for it")
        }
    }

    private mutating func append(byte: UInt8) {
        unsafe next.pointee = byte
        unsafe next += 1
    }

    mutating func append(fixed number: UInt64) {
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: number.littleEndian, as: UInt64.self)
        unsafe next += 8
    }

    /// LEB128: seven bits a byte, least significant first.
    private mutating func append(variable number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            unsafe append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        unsafe append(byte: UInt8(rest))
    }

    private mutating func append(copying bytes: UnsafeRawBufferPointer) {
        unsafe append(variable: UInt64(bytes.count))
        guard let source = bytes.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(next).copyMemory(from: source, byteCount: bytes.count)
        unsafe next += bytes.count
    }

    private mutating func append(_ text: Text) {
        var string = text.string
        string.withUTF8 { utf8 in unsafe append(copying: UnsafeRawBufferPointer(utf8)) }
    }

    /// The directory holds the start of each field, counted from the end of the directory: two bytes each if the fields
    /// fit into 64 KiB, four otherwise.
    mutating func append(_ fields: Fields) {
        let head = unsafe next
        let count = fields.count
        unsafe append(variable: UInt64(count) << 1 | (isNarrow ? 0 : 1))
        let table = unsafe UnsafeMutableRawPointer(next)
        unsafe next += (isNarrow ? 2 : 4) * count
        let content = unsafe next
        let storage = fields.storage.span
        for index in storage.indices {
            unsafe store(next - content, in: table, at: index, isWide: !isNarrow)
            unsafe append(storage[index].name)
            unsafe append(storage[index].value)
        }
        let size = unsafe next - content
        guard unsafe !isNarrow, size <= Int(UInt16.max) else { return }
        unsafe head.pointee &= ~1
        for index in 0..<count {
            let start = unsafe table.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
            unsafe store(Int(UInt32(littleEndian: start)), in: table, at: index, isWide: false)
        }
        unsafe (table + 2 * count).copyMemory(from: content, byteCount: size)
        unsafe next -= 2 * count
    }

    private func store(_ start: Int, in table: UnsafeMutableRawPointer, at index: Int, isWide: Bool) {
        if isWide {
            unsafe table.storeBytes(of: UInt32(start).littleEndian, toByteOffset: 4 * index, as: UInt32.self)
        } else {
            unsafe table.storeBytes(of: UInt16(start).littleEndian, toByteOffset: 2 * index, as: UInt16.self)
        }
    }

    /// Writes the length of what `body` appends, then what it appends.
    private mutating func appendSized(_ body: (inout StoredWriter) -> Void) {
        let place = unsafe next
        unsafe append(byte: 0)
        unsafe body(&self)
        let size = unsafe next - place - 1
        let lengthCount = unsafe StoredWriter.variableCount(size)
        if lengthCount > 1 {
            unsafe UnsafeMutableRawPointer(place + lengthCount).copyMemory(from: place + 1, byteCount: size)
        }
        unsafe next = place
        unsafe append(variable: UInt64(size))
        unsafe next += size
    }

    private static func variableCount(_ number: Int) -> Int {
        max(1, (Int.bitWidth - number.leadingZeroBitCount + 6) / 7)
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null: unsafe append(byte: StoredTag.null)
        case .boolean(let flag): unsafe append(byte: flag ? StoredTag.true : StoredTag.false)
        case .integer(let number):
            unsafe append(byte: StoredTag.integer)
            unsafe append(variable: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
        case .double(let number):
            unsafe append(byte: StoredTag.double)
            unsafe append(fixed: number.bitPattern)
        case .timestamp(let time):
            unsafe append(byte: StoredTag.timestamp)
            unsafe append(fixed: UInt64(bitPattern: time.microseconds))
        case .string(let text):
            unsafe append(byte: StoredTag.string)
            unsafe append(text)
        case .bytes(let content):
            unsafe append(byte: StoredTag.bytes)
            unsafe content.withUnsafeBytes { bytes in unsafe append(copying: bytes) }
        case .reference(let reference): unsafe append(reference)
        case .geoPoint(let point):
            unsafe append(byte: StoredTag.geoPoint)
            unsafe append(fixed: point.latitude.bitPattern)
            unsafe append(fixed: point.longitude.bitPattern)
        case .array(let elements): unsafe append(elements)
        case .vector(let elements):
            unsafe append(byte: StoredTag.vector)
            unsafe append(variable: UInt64(elements.count))
            for element in elements { unsafe append(fixed: element.bitPattern) }
        case .map(let fields):
            unsafe append(byte: StoredTag.map)
            unsafe appendSized { writer in unsafe writer.append(fields) }
        }
    }

    private mutating func append(_ elements: [Value]) {
        unsafe append(byte: StoredTag.array)
        unsafe appendSized { writer in
            unsafe writer.append(variable: UInt64(elements.count))
            for element in elements { unsafe writer.append(element) }
        }
    }

    private mutating func append(_ reference: Reference) {
        if unsafe reference.database == database {
            unsafe append(byte: StoredTag.localReference)
        } else {
            unsafe append(byte: StoredTag.foreignReference)
            unsafe append(reference.database.project)
            unsafe append(reference.database.database)
        }
        unsafe append(variable: UInt64(reference.path.count))
        for segment in reference.path.segments { unsafe append(segment) }
    }
}

// MARK: - Room

/// The bytes of the longest LEB128 number, and of one that counts what is in memory.
private let room = (number: 10, count: 9)

extension Value {
    /// The stored value has no more bytes.
    var storedRoom: Int {
        switch self {
        case .null, .boolean: 1
        case .integer, .double, .timestamp: 1 + room.number
        case .string(let text): 1 + text.storedRoom
        case .bytes(let content): 1 + room.count + content.count
        case .reference(let reference):
            1 + room.count + reference.database.project.storedRoom + reference.database.database.storedRoom
                + reference.path.segments.sum { $0.storedRoom }
        case .geoPoint: 17
        case .array(let elements): 1 + 2 * room.count + elements.sum { $0.storedRoom }
        case .vector(let elements): 1 + room.count + 8 * elements.count
        case .map(let fields): 1 + room.count + fields.storedRoom
        }
    }
}

extension Text {
    fileprivate var storedRoom: Int { room.count + utf8Count }
}

extension Fields {
    /// The stored fields have no more bytes.
    var storedRoom: Int {
        storage.sum { 4 + $0.name.storedRoom + $0.value.storedRoom } + room.number
    }
}
