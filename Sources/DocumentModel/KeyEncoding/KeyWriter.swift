// SPDX-License-Identifier: Apache-2.0

/// Writes the bytes of ``KeyEncoder`` into memory that has room for them: to ask an array for room byte by byte takes several
/// times as long.
@unsafe
struct KeyWriter {
    private(set) var next: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>) {
        unsafe next = start
    }

    mutating func append(byte: UInt8) {
        unsafe next.pointee = byte
        unsafe next += 1
    }

    /// Copies few bytes, as names and IDs have.
    mutating func append(copying bytes: UnsafeRawBufferPointer) {
        var index = 0
        while index + 8 <= bytes.count {
            unsafe append(word: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        while index < bytes.count {
            unsafe append(byte: bytes[index])
            index += 1
        }
    }

    /// Complements everything from a place on.
    func complement(from start: UnsafeMutablePointer<UInt8>) {
        for index in unsafe 0..<(next - start) { unsafe start[index] = ~start[index] }
    }

    mutating func append(_ value: Value) {
        switch value {
        case .null: unsafe append(byte: KeyLabel.null)
        case .boolean(let flag): unsafe append(byte: flag ? KeyLabel.true : KeyLabel.false)
        case .integer(let number):
            unsafe append(byte: KeyLabel.number)
            unsafe append(NumberKey.parts(number))
        case .double(let number): unsafe append(number)
        case .timestamp(let time):
            unsafe append(byte: KeyLabel.timestamp)
            unsafe append(bigEndian: UInt64(bitPattern: time.microseconds &- Timestamp.minimum.microseconds))
        case .string(let text):
            unsafe append(byte: KeyLabel.string)
            unsafe append(terminated: text)
        case .bytes(let content):
            unsafe append(byte: KeyLabel.bytes)
            unsafe content.withUnsafeBytes { raw in unsafe append(escaping: raw) }
            unsafe append(byte: KeyMark.end)
        case .reference(let reference):
            unsafe append(byte: KeyLabel.reference)
            unsafe append(terminated: reference.database.project)
            unsafe append(terminated: reference.database.database)
            unsafe append(path: reference.path)
        case .geoPoint(let point):
            unsafe append(byte: KeyLabel.geoPoint)
            unsafe append(NumberKey.parts(point.latitude))
            unsafe append(NumberKey.parts(point.longitude))
        case .array(let elements):
            unsafe append(byte: KeyLabel.array)
            for element in elements { unsafe append(element) }
            unsafe append(byte: KeyMark.end)
        case .vector(let elements): unsafe append(elements)
        case .map(let fields): unsafe append(fields)
        }
    }

    private mutating func append(_ number: Double) {
        guard !number.isNaN else { return unsafe append(byte: KeyLabel.nan) }
        unsafe append(byte: KeyLabel.number)
        unsafe append(NumberKey.parts(number))
    }

    private mutating func append(_ vector: [Double]) {
        unsafe append(byte: KeyLabel.vector)
        for shift in [16, 8, 0] { unsafe append(byte: UInt8(truncatingIfNeeded: vector.count >> shift)) }
        for element in vector { unsafe append(element) }
    }

    private mutating func append(_ fields: Fields) {
        unsafe append(byte: KeyLabel.map)
        for field in fields.storage {
            unsafe append(byte: KeyMark.item)
            unsafe append(terminated: field.name)
            unsafe append(field.value)
        }
        unsafe append(byte: KeyMark.end)
    }

    mutating func append(path: ResourcePath) {
        for segment in path.segments { unsafe append(segment: segment) }
        unsafe append(byte: KeyMark.end)
    }

    mutating func append(segment: Text) {
        var string = segment.string
        string.withUTF8 { utf8 in
            if unsafe utf8.first == UInt8(ascii: "_"), let number = ResourcePath.numericID(segment) {
                unsafe append(byte: KeyMark.item)
                unsafe append(bigEndian: UInt64(bitPattern: number) ^ (1 << 63))
            } else {
                unsafe append(escaping: UnsafeRawBufferPointer(utf8))
                unsafe append(byte: KeyMark.end)
            }
        }
    }

    private mutating func append(terminated text: Text) {
        var string = text.string
        string.withUTF8 { utf8 in unsafe append(escaping: UnsafeRawBufferPointer(utf8)) }
        unsafe append(byte: KeyMark.end)
    }

    private mutating func append(escaping content: UnsafeRawBufferPointer) {
        var index = 0
        // Most content needs no escape.
        while index + 8 <= content.count {
            let word = unsafe content.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !KeyMark.isEscaped(anyOf: word) else { break }
            unsafe append(word: word)
            index += 8
        }
        if index > 0, index < content.count, content.count &- index < 8 {
            // The last eight bytes, some of which are already written.
            let word = unsafe content.loadUnaligned(fromByteOffset: content.count &- 8, as: UInt64.self)
            if !KeyMark.isEscaped(anyOf: word) {
                unsafe next -= 8 &- (content.count &- index)
                return unsafe append(word: word)
            }
        }
        while index < content.count {
            let byte = unsafe content[index]
            if byte <= KeyMark.escape {
                unsafe append(byte: KeyMark.escape)
                unsafe append(byte: byte + 1)
            } else {
                unsafe append(byte: byte)
            }
            index += 1
        }
    }

    private mutating func append(word: UInt64) {
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: word, as: UInt64.self)
        unsafe next += 8
    }

    private mutating func append(bigEndian number: UInt64) {
        unsafe append(word: number.bigEndian)
    }

    private mutating func append(_ parts: NumberKey.Parts) {
        var high = parts.bits
        var low = UInt64(parts.residual) << 51
        repeat {
            let group = UInt8(truncatingIfNeeded: high >> 57)
            high = (high << 7) | (low >> 57)
            low <<= 7
            unsafe append(byte: (group << 1) | ((high | low) == 0 ? 0 : 1))
        } while (high | low) != 0
    }
}

// MARK: - Room

extension Value {
    /// No key of the value has more bytes.
    var keyRoom: Int {
        switch self {
        case .null, .boolean: 1
        case .integer, .double: 1 + NumberKey.maximumCount
        case .timestamp: 9
        case .string(let text): 1 + text.keyRoom
        case .bytes(let content): 2 + 2 * content.count
        case .reference(let reference):
            1 + reference.database.project.keyRoom + reference.database.database.keyRoom + reference.path.keyRoom
        case .geoPoint: 1 + 2 * NumberKey.maximumCount
        case .array(let elements): 2 + elements.sum { $0.keyRoom }
        case .vector(let elements): 4 + elements.count * (1 + NumberKey.maximumCount)
        case .map(let fields): 2 + fields.storage.sum { 1 + $0.name.keyRoom + $0.value.keyRoom }
        }
    }
}

extension Text {
    /// No key of a text or ID has more bytes: every byte may be escaped, and an ID that is a number has nine of at least ten
    /// characters' room.
    var keyRoom: Int { 2 * utf8Count + 1 }
}

extension ResourcePath {
    var keyRoom: Int { 1 + segments.sum { $0.keyRoom } }
}
