// SPDX-License-Identifier: Apache-2.0

// Decodes values, segments and paths.
extension KeyReader {
    @inline(__always)
    mutating func numberParts(_ flip: UInt8) throws(StoredFormatError) -> NumberKey.Parts {
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

    private mutating func bigEndian(_ flip: UInt8) throws(StoredFormatError) -> UInt64 {
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

    private mutating func content(_ flip: UInt8) throws(StoredFormatError) -> [UInt8] {
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
    private mutating func text(_ flip: UInt8) throws(StoredFormatError) -> Text {
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

    mutating func segment(_ flip: UInt8) throws(StoredFormatError) -> Text {
        guard try peek() ^ flip == KeyMark.item else { return try text(flip) }
        offset += 1
        let number = Int64(bitPattern: try bigEndian(flip) ^ (1 << 63))
        return Text("__id\(number)__")
    }

    mutating func path(_ flip: UInt8) throws(StoredFormatError) -> ResourcePath {
        var segments: [Text] = []
        while try peek() ^ flip != KeyMark.end { segments.append(try segment(flip)) }
        offset += 1
        return ResourcePath(segments: segments)
    }

    private mutating func double(_ flip: UInt8) throws(StoredFormatError) -> Double {
        NumberKey.double(try numberParts(flip).bits)
    }

    mutating func value(_ flip: UInt8) throws(StoredFormatError) -> Value {
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
