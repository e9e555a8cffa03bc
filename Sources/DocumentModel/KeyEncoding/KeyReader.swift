// SPDX-License-Identifier: Apache-2.0

/// Reads key bytes written by ``KeyEncoder``: skips encodings and decodes them.
///
/// Any other bytes throw ``StoredFormatError`` and never trap.
package struct KeyReader: ~Escapable {
    let bytes: RawSpan
    /// Where the next encoding begins.
    package internal(set) var offset: Int
    /// How many containers the reader is inside. Stored values nest at most 20 deep (D-16), but damaged bytes could
    /// claim more than the stack holds.
    var depth = 0

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
    func peek() throws(StoredFormatError) -> UInt8 {
        guard offset < bytes.byteCount else { throw .truncated }
        return unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    mutating func next(_ flip: UInt8) throws(StoredFormatError) -> UInt8 {
        let byte = try peek()
        offset += 1
        return byte ^ flip
    }

    mutating func advance(_ count: Int) throws(StoredFormatError) {
        guard count <= bytes.byteCount - offset else { throw .truncated }
        offset += count
    }

    mutating func skipTerminated(_ flip: UInt8) throws(StoredFormatError) {
        let start = offset
        let end = unsafe bytes.withUnsafeBytes { unsafe firstIndex(of: KeyMark.end ^ flip, in: $0, from: start) }
        guard let end else { throw .truncated }
        offset = end + 1
    }

    mutating func skipNumber(_ flip: UInt8) throws(StoredFormatError) {
        while try next(flip) & 1 == 1 {}
    }

    mutating func skipValue(_ flip: UInt8) throws(StoredFormatError) {
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

    mutating func descend() throws(StoredFormatError) {
        depth += 1
        guard depth <= KeyReader.maximumDepth else { throw StoredFormatError("a key nests too deeply") }
    }

    private static var maximumDepth: Int { 64 }

    mutating func vectorCount(_ flip: UInt8) throws(StoredFormatError) -> Int {
        let high = Int(try next(flip))
        let middle = Int(try next(flip))
        return high << 16 | middle << 8 | Int(try next(flip))
    }
}
