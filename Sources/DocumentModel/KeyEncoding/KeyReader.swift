// SPDX-License-Identifier: Apache-2.0

/// Reads key bytes written by ``KeyEncoder``: skips encodings and decodes them.
///
/// Any other bytes throw ``StoredFormatError`` and never trap.
package struct KeyReader: ~Escapable {
    private let bytes: RawSpan
    /// Where the next encoding begins.
    package private(set) var offset: Int
    /// How many containers the reader is inside. Stored values nest at most 20 deep (D-16), but damaged bytes could
    /// claim more than the stack holds.
    fileprivate var depth = 0

    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan, at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    package var isAtEnd: Bool { offset >= bytes.byteCount }

    /// Skips one value.
    package mutating func skipValue(descending: Bool = false) throws(StoredFormatError) {
        let flip: UInt8 = descending ? 0xFF : 0
        try skipValue(flip)
    }

    /// Skips one document or collection ID.
    package mutating func skipSegment(descending: Bool = false) throws(StoredFormatError) {
        let flip: UInt8 = descending ? 0xFF : 0
        if try peek() ^ flip == KeyMark.item { try advance(9) } else { try skipTerminated(flip) }
    }

    /// Whether bytes end as an encoded path does.
    package static func endsPath(_ bytes: RawSpan, descending: Bool) -> Bool {
        guard bytes.byteCount > 0 else { return false }
        let last = unsafe bytes.unsafeLoad(fromByteOffset: bytes.byteCount - 1, as: UInt8.self)
        return last == KeyMark.end ^ (descending ? 0xFF : 0)
    }

    /// Where the last segment of an encoded path begins, and how many segments there are; nil unless the path ends with its mark.
    package static func lastSegment(of path: RawSpan, descending: Bool) -> (start: Int, count: Int)? {
        let flip: UInt8 = descending ? 0xFF : 0
        return unsafe path.withUnsafeBytes { path in
            let end = path.count - 1
            guard end > 0, unsafe path[end] == KeyMark.end ^ flip else { return nil }
            var (start, next, count) = (0, 0, 0)
            while next < end {
                start = next
                count += 1
                if unsafe path[next] ^ flip == KeyMark.item {
                    next += 9
                } else {
                    next = unsafe (firstIndex(of: KeyMark.end ^ flip, in: path, from: next) ?? end) + 1
                }
            }
            return next == end ? (start, count) : nil
        }
    }

    /// Decodes one value. A whole number that fits becomes an integer, any other a double: the result equals what was
    /// written but need not be identical, because the key does not hold the difference.
    package mutating func value(descending: Bool = false) throws(StoredFormatError) -> Value {
        try value(descending ? 0xFF : 0)
    }

    /// Decodes the number at the current offset; nil for another type. Skips the value in both cases.
    package mutating func number(
        isDouble: Bool, descending: Bool = false
    ) throws(StoredFormatError) -> KeyNumber? {
        let flip: UInt8 = descending ? 0xFF : 0
        switch try peek() ^ flip {
        case KeyLabel.nan:
            offset += 1
            return .double(.nan)
        case KeyLabel.number:
            offset += 1
            return NumberKey.number(try numberParts(flip), isDouble: isDouble)
        default:
            try skipValue(flip)
            return nil
        }
    }

    /// Decodes one document or collection ID.
    package mutating func segment(descending: Bool = false) throws(StoredFormatError) -> Text {
        try segment(descending ? 0xFF : 0)
    }

    /// Decodes one path.
    package mutating func path(descending: Bool = false) throws(StoredFormatError) -> ResourcePath {
        try path(descending ? 0xFF : 0)
    }
}

extension KeyReader {
    fileprivate func peek() throws(StoredFormatError) -> UInt8 {
        guard offset < bytes.byteCount else { throw .truncated }
        return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    fileprivate mutating func next(_ flip: UInt8) throws(StoredFormatError) -> UInt8 {
        let byte = try peek()
        offset += 1
        return byte ^ flip
    }

    fileprivate mutating func advance(_ count: Int) throws(StoredFormatError) {
        guard count <= bytes.byteCount - offset else { throw .truncated }
        offset += count
    }

    fileprivate mutating func skipTerminated(_ flip: UInt8) throws(StoredFormatError) {
        let start = offset
        let end = unsafe bytes.withUnsafeBytes { unsafe firstIndex(of: KeyMark.end ^ flip, in: $0, from: start) }
        guard let end else { throw .truncated }
        offset = end + 1
    }

    fileprivate mutating func skipNumber(_ flip: UInt8) throws(StoredFormatError) {
        while try next(flip) & 1 == 1 {}
    }

    fileprivate mutating func skipValue(_ flip: UInt8) throws(StoredFormatError) {
        switch try next(flip) {
        case KeyLabel.null, KeyLabel.false, KeyLabel.true, KeyLabel.nan: break
        case KeyLabel.number: try skipNumber(flip)
        case KeyLabel.timestamp: try advance(8)
        case KeyLabel.string, KeyLabel.bytes: try skipTerminated(flip)
        case KeyLabel.reference:
            try skipTerminated(flip)
            try skipTerminated(flip)
            while try peek() ^ flip != KeyMark.end { try skipSegment(descending: flip != 0) }
            offset += 1
        case KeyLabel.geoPoint:
            try skipNumber(flip)
            try skipNumber(flip)
        case KeyLabel.array:
            try descend()
            while try peek() ^ flip != KeyMark.end { try skipValue(flip) }
            offset += 1
            depth -= 1
        case KeyLabel.vector:
            for _ in 0..<(try vectorCount(flip)) where try next(flip) != KeyLabel.nan { try skipNumber(flip) }
        case KeyLabel.map:
            try descend()
            while try next(flip) != KeyMark.end {
                try skipTerminated(flip)
                try skipValue(flip)
            }
            depth -= 1
        default: throw StoredFormatError("a key holds a value of an unknown type")
        }
    }

    fileprivate mutating func descend() throws(StoredFormatError) {
        depth += 1
        guard depth <= KeyReader.maximumDepth else { throw StoredFormatError("a key nests too deeply") }
    }

    private static var maximumDepth: Int { 64 }

    fileprivate mutating func vectorCount(_ flip: UInt8) throws(StoredFormatError) -> Int {
        let high = Int(try next(flip))
        let middle = Int(try next(flip))
        return high << 16 | middle << 8 | Int(try next(flip))
    }
}

extension KeyReader {
    @inline(__always)
    fileprivate mutating func numberParts(_ flip: UInt8) throws(StoredFormatError) -> NumberKey.Parts {
        if offset + 8 <= bytes.byteCount {
            let bytes = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let word = UInt64(bigEndian: bytes) ^ (flip == 0 ? 0 : .max)
            if let (bits, count) = NumberKey.bits(ofGroups: word) {
                offset += count
                return NumberKey.Parts(bits: bits, residual: 0)
            }
        }
        return try longNumberParts(flip)
    }

    private mutating func longNumberParts(_ flip: UInt8) throws(StoredFormatError) -> NumberKey.Parts {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var groups = 0
        var byte: UInt8
        repeat {
            guard groups < 11 else { throw StoredFormatError("a number's key is too long") }
            byte = try next(flip)
            let group = UInt64(byte >> 1)
            if groups < 9 {
                high |= group << UInt64(57 - 7 * groups)
            } else if groups == 9 {
                high |= group >> 6
                low |= (group & 0x3F) << 58
            } else {
                low |= group << 51
            }
            groups += 1
        } while byte & 1 == 1
        return NumberKey.Parts(bits: high, residual: UInt16(truncatingIfNeeded: low >> 51))
    }

    fileprivate mutating func bigEndian(_ flip: UInt8) throws(StoredFormatError) -> UInt64 {
        var number: UInt64 = 0
        for _ in 0..<8 { number = number << 8 | UInt64(try next(flip)) }
        return number
    }

    /// The range of the content before the next end mark. Skips the mark.
    private mutating func terminated(_ flip: UInt8) throws(StoredFormatError) -> Range<Int> {
        let start = offset
        try skipTerminated(flip)
        return start..<offset - 1
    }

    fileprivate mutating func content(_ flip: UInt8) throws(StoredFormatError) -> [UInt8] {
        try content(terminated(flip), flip)
    }

    private func content(_ range: Range<Int>, _ flip: UInt8) throws(StoredFormatError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            var byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) ^ flip
            if byte == KeyMark.escape {
                index += 1
                guard index < range.upperBound else { throw StoredFormatError("a key ends in an escape") }
                byte = unsafe (bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) ^ flip) &- 1
            }
            result.append(byte)
            index += 1
        }
        return result
    }

    /// Ascending text without escapes, the most common case, is created directly from the key's bytes.
    fileprivate mutating func text(_ flip: UInt8) throws(StoredFormatError) -> Text {
        let range = try terminated(flip)
        let plain = unsafe bytes.withUnsafeBytes { raw -> Text? in
            let utf8 = unsafe UnsafeRawBufferPointer(rebasing: raw[range])
            return unsafe flip != 0 || utf8.contains(KeyMark.escape) ? nil : Text(validating: utf8)
        }
        if let plain { return plain }
        let utf8 = try content(range, flip)
        guard let text = unsafe utf8.withUnsafeBytes({ unsafe Text(validating: $0) }) else {
            throw StoredFormatError("a key holds text that is not UTF-8")
        }
        return text
    }

    fileprivate mutating func segment(_ flip: UInt8) throws(StoredFormatError) -> Text {
        guard try peek() ^ flip == KeyMark.item else { return try text(flip) }
        offset += 1
        let number = Int64(bitPattern: try bigEndian(flip) ^ (1 << 63))
        return Text("__id\(number)__")
    }

    fileprivate mutating func path(_ flip: UInt8) throws(StoredFormatError) -> ResourcePath {
        var segments: [Text] = []
        while try peek() ^ flip != KeyMark.end { segments.append(try segment(flip)) }
        offset += 1
        return ResourcePath(segments: segments)
    }

    fileprivate mutating func double(_ flip: UInt8) throws(StoredFormatError) -> Double {
        NumberKey.double(try numberParts(flip).bits)
    }

    fileprivate mutating func value(_ flip: UInt8) throws(StoredFormatError) -> Value {
        let label = try peek() ^ flip
        switch label {
        case KeyLabel.nan, KeyLabel.number:
            offset += 1
            return label == KeyLabel.nan ? .double(.nan) : NumberKey.value(try numberParts(flip))
        case KeyLabel.array, KeyLabel.vector, KeyLabel.map: return try container(flip)
        default: break
        }
        offset += 1
        switch label {
        case KeyLabel.null: return .null
        case KeyLabel.false, KeyLabel.true: return .boolean(label == KeyLabel.true)
        case KeyLabel.timestamp: return .timestamp(try timestamp(flip))
        case KeyLabel.string: return .string(try text(flip))
        case KeyLabel.bytes: return .bytes(try content(flip))
        case KeyLabel.reference:
            let database = DatabaseID(project: try text(flip), database: try text(flip))
            return .reference(Reference(database: database, path: try path(flip)))
        case KeyLabel.geoPoint:
            guard let point = GeoPoint(latitude: try double(flip), longitude: try double(flip)) else {
                throw StoredFormatError("a key holds a geo point outside the globe")
            }
            return .geoPoint(point)
        default: throw StoredFormatError("a key holds a value of an unknown type")
        }
    }

    private mutating func timestamp(_ flip: UInt8) throws(StoredFormatError) -> Timestamp {
        let microseconds = Int64(bitPattern: try bigEndian(flip)) &+ Timestamp.minimum.microseconds
        guard let time = Timestamp(microseconds: microseconds) else {
            throw StoredFormatError("a key holds a time outside the years 1 to 9999")
        }
        return time
    }

    private mutating func container(_ flip: UInt8) throws(StoredFormatError) -> Value {
        try descend()
        defer { depth -= 1 }
        switch try next(flip) {
        case KeyLabel.array:
            var elements: [Value] = []
            while try peek() ^ flip != KeyMark.end { elements.append(try value(flip)) }
            offset += 1
            return .array(elements)
        case KeyLabel.vector:
            var elements: [Double] = []
            for _ in 0..<(try vectorCount(flip)) {
                let label = try next(flip)
                elements.append(label == KeyLabel.nan ? .nan : try double(flip))
            }
            return .vector(elements)
        default:
            var fields: [Field] = []
            while try next(flip) != KeyMark.end {
                let name = try text(flip)
                fields.append(Field(name, try value(flip)))
            }
            guard let map = Fields(fields) else { throw StoredFormatError("a key holds a map with a repeated name") }
            return .map(map)
        }
    }
}
