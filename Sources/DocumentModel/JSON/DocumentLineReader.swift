// SPDX-License-Identifier: Apache-2.0

/// Reads documents in the most common spelling of the lossless form directly from the bytes of a line.
///
/// It understands strings without escapes and the most common types and returns nil for everything else, so that the
/// caller can use ``JSONParser`` and ``DocumentJSON``. What it reads, they read identically.
package struct DocumentLineReader {
    private let database: DatabaseID
    /// The collection of the last line, and the bytes of the name up to its last slash. Most lines repeat both.
    private var collection: CollectionPath?
    private var prefix: [UInt8] = []

    /// How deep arrays and maps may nest. Deeper ones are left to the parser, which does not recurse.
    fileprivate static let maximumDepth = 32

    package init(database: DatabaseID) {
        self.database = database
    }

    /// The document of a line; nil if the parser must read the line.
    package mutating func read(_ line: Span<UInt8>) -> (path: DocumentPath, fields: Fields)? {
        unsafe line.withUnsafeBytes { line in
            var scanner = unsafe CommonFormScanner(line)
            return unsafe read(&scanner)
        }
    }

    private mutating func read(_ scanner: inout CommonFormScanner) -> (path: DocumentPath, fields: Fields)? {
        var name: UnsafeRawBufferPointer?
        var fields: Fields?
        guard unsafe scanner.enter() else { return nil }
        repeat {
            if unsafe scanner.key("name") {
                guard unsafe name == nil, let read = unsafe scanner.plainString() else { return nil }
                unsafe name = unsafe read
            } else if unsafe scanner.key("fields") {
                guard fields == nil, let read = unsafe scanner.fields(depth: 0) else { return nil }
                fields = read
            } else {
                return nil
            }
        } while unsafe scanner.skip(UInt8(ascii: ","))
        guard unsafe scanner.skip(UInt8(ascii: "}")), unsafe scanner.isAtEnd(), let name = unsafe name,
            let path = unsafe path(name)
        else { return nil }
        return (path, fields ?? .empty)
    }

    private mutating func path(_ name: UnsafeRawBufferPointer) -> DocumentPath? {
        guard let slash = unsafe name.lastIndex(of: UInt8(ascii: "/")), slash + 1 < name.count else { return nil }
        let isKnown =
            slash + 1 == prefix.count
            && (unsafe prefix.withUnsafeBytes {
                unsafe compareBytes($0, UnsafeRawBufferPointer(rebasing: name.prefix(slash + 1))) == 0
            })
        if isKnown, let collection {
            return unsafe Text(validating: UnsafeRawBufferPointer(rebasing: name.dropFirst(slash + 1)))
                .map(collection.document)
        }
        guard let text = unsafe Text(validating: name),
            let reference = try? Reference(parsing: text.string, database: database), reference.database == database
        else { return nil }
        let path = DocumentPath(reference.path)
        collection = path.collection
        prefix = unsafe Array(name.prefix(slash + 1))
        return path
    }
}

/// Scans the most common spelling of JSON. After a failure its position is undefined.
@unsafe
private struct CommonFormScanner {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = unsafe bytes
    }

    // MARK: - Tokens

    /// Zero, which JSON never contains, at the end.
    private var current: UInt8 { unsafe position < bytes.count ? bytes[position] : 0 }

    private mutating func skipSpace() {
        while true {
            switch unsafe current {
            case 0x20, 0x09, 0x0D, 0x0A: unsafe position += 1
            default: return
            }
        }
    }

    mutating func isAtEnd() -> Bool {
        unsafe skipSpace()
        return unsafe position == bytes.count
    }

    /// Skips white space and the mark after it; false if another byte follows.
    mutating func skip(_ mark: UInt8) -> Bool {
        unsafe skipSpace()
        guard unsafe current == mark else { return false }
        unsafe position += 1
        return true
    }

    /// Skips the beginning of an object.
    mutating func enter() -> Bool { unsafe skip(UInt8(ascii: "{")) }

    private mutating func word(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard unsafe bytes.count - position >= count else { return false }
        let place = unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
        guard unsafe compareBytes(place, UnsafeRawBufferPointer(start: word.utf8Start, count: count)) == 0 else {
            return false
        }
        unsafe position += count
        return true
    }

    /// Skips this key and its colon; false, without moving, if another key follows.
    mutating func key(_ name: StaticString) -> Bool {
        unsafe skipSpace()
        let start = unsafe position
        if unsafe current == UInt8(ascii: "\"") {
            unsafe position += 1
            if unsafe word(name), unsafe current == UInt8(ascii: "\"") {
                unsafe position += 1
                return unsafe skip(UInt8(ascii: ":"))
            }
        }
        unsafe position = start
        return false
    }

    /// The bytes of a string without escapes.
    mutating func plainString() -> UnsafeRawBufferPointer? {
        guard unsafe skip(UInt8(ascii: "\"")) else { return nil }
        let start = unsafe position
        unsafe skipPlain()
        guard unsafe current == UInt8(ascii: "\"") else { return nil }
        defer { unsafe position += 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    /// Skips the bytes of a string that need no escape, eight at a time.
    private mutating func skipPlain() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while unsafe position + 8 <= bytes.count {
            let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quote = word ^ (ones * 0x22)
            let backslash = word ^ (ones * 0x5C)
            // The lowest byte with its highest bit set is the first quote, backslash or control character.
            let found =
                (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones * 0x20) & ~word))
                & (ones * 0x80)
            if found != 0 {
                unsafe position += found.trailingZeroBitCount / 8
                return
            }
            unsafe position += 8
        }
        while unsafe current >= 0x20, unsafe current != UInt8(ascii: "\""), unsafe current != UInt8(ascii: "\\") {
            unsafe position += 1
        }
    }

    private mutating func text() -> Text? {
        unsafe plainString().flatMap { unsafe Text(validating: $0) }
    }

    // MARK: - Values

    mutating func fields(depth: Int) -> Fields? {
        guard unsafe enter() else { return nil }
        if unsafe skip(UInt8(ascii: "}")) { return .empty }
        var fields: [Field] = []
        fields.reserveCapacity(depth == 0 ? 16 : 4)
        repeat {
            guard let name = unsafe text(), unsafe skip(UInt8(ascii: ":")), let value = unsafe value(depth: depth)
            else {
                return nil
            }
            fields.append(Field(name, value))
        } while unsafe skip(UInt8(ascii: ","))
        return unsafe skip(UInt8(ascii: "}")) ? Fields(fields) : nil
    }

    private mutating func value(depth: Int) -> Value? {
        guard unsafe enter(), unsafe skip(UInt8(ascii: "\"")), let value = unsafe content(depth: depth),
            unsafe skip(UInt8(ascii: "}"))
        else { return nil }
        return value
    }

    /// Reads the inside of a value's braces, from after the opening quote of its type.
    private mutating func content(depth: Int) -> Value? {
        switch unsafe current {
        case UInt8(ascii: "s"): unsafe type("stringValue\"") ? unsafe text().map(Value.string) : nil
        case UInt8(ascii: "i"): unsafe type("integerValue\"") ? unsafe quotedInteger().map(Value.integer) : nil
        case UInt8(ascii: "d"): unsafe type("doubleValue\"") ? unsafe number().map(Value.double) : nil
        case UInt8(ascii: "t"): unsafe type("timestampValue\"") ? unsafe timestamp().map(Value.timestamp) : nil
        case UInt8(ascii: "b"): unsafe type("booleanValue\"") ? unsafe boolean().map(Value.boolean) : nil
        case UInt8(ascii: "n"): unsafe type("nullValue\"") && word("null") ? .null : nil
        case UInt8(ascii: "a"): unsafe type("arrayValue\"") ? unsafe array(depth: depth + 1) : nil
        case UInt8(ascii: "m"): unsafe type("mapValue\"") ? unsafe map(depth: depth + 1) : nil
        default: nil
        }
    }

    private mutating func type(_ name: StaticString) -> Bool {
        guard unsafe word(name), unsafe skip(UInt8(ascii: ":")) else { return false }
        unsafe skipSpace()
        return true
    }

    private mutating func boolean() -> Bool? {
        if unsafe word("true") { return true }
        return unsafe word("false") ? false : nil
    }

    private mutating func timestamp() -> Timestamp? {
        unsafe plainString().flatMap { unsafe Timestamp(rfc3339: $0.bytes) }
    }

    private mutating func array(depth: Int) -> Value? {
        guard depth < DocumentLineReader.maximumDepth, unsafe enter() else { return nil }
        if unsafe skip(UInt8(ascii: "}")) { return .array([]) }
        guard unsafe key("values"), unsafe skip(UInt8(ascii: "[")) else { return nil }
        var elements: [Value] = []
        if unsafe !skip(UInt8(ascii: "]")) {
            repeat {
                guard let element = unsafe value(depth: depth) else { return nil }
                elements.append(element)
            } while unsafe skip(UInt8(ascii: ","))
            guard unsafe skip(UInt8(ascii: "]")) else { return nil }
        }
        return unsafe skip(UInt8(ascii: "}")) ? .array(elements) : nil
    }

    private mutating func map(depth: Int) -> Value? {
        guard depth < DocumentLineReader.maximumDepth, unsafe enter() else { return nil }
        if unsafe skip(UInt8(ascii: "}")) { return .map(.empty) }
        guard unsafe key("fields"), let fields = unsafe fields(depth: depth), unsafe skip(UInt8(ascii: "}")) else {
            return nil
        }
        return VectorForm.vector(fields).map(Value.vector) ?? .map(fields)
    }

    // MARK: - Numbers

    private mutating func quotedInteger() -> Int64? {
        guard unsafe skip(UInt8(ascii: "\"")) else { return nil }
        let isNegative = unsafe current == UInt8(ascii: "-")
        if isNegative { unsafe position += 1 }
        let digits = unsafe self.digits()
        guard let (number, count) = digits, count > 0, unsafe current == UInt8(ascii: "\"") else { return nil }
        unsafe position += 1
        return isNegative ? -number : number
    }

    /// The value of a run of digits and its length; nil for more than eighteen digits.
    private mutating func digits() -> (number: Int64, count: Int)? {
        let start = unsafe position
        var number: Int64 = 0
        while case let digit = unsafe current &- UInt8(ascii: "0"), digit < 10 {
            guard unsafe position - start < 18 else { return nil }
            number = number * 10 + Int64(digit)
            unsafe position += 1
        }
        return unsafe (number, position - start)
    }

    /// A number without exponent whose digits form an integer that a double holds exactly. One division then rounds it
    /// correctly.
    private mutating func number() -> Double? {
        let isNegative = unsafe current == UInt8(ascii: "-")
        if isNegative { unsafe position += 1 }
        let leading = unsafe current
        let digits = unsafe self.digits()
        guard let (whole, count) = digits, count == 1 || (count > 1 && leading != UInt8(ascii: "0")) else {
            return nil
        }
        var (number, divisor) = (whole, 1.0)
        if unsafe current == UInt8(ascii: ".") {
            unsafe position += 1
            let digits = unsafe self.digits()
            guard let (fraction, places) = digits, places > 0, count + places <= 18 else { return nil }
            for _ in 0..<places { (number, divisor) = (number * 10, divisor * 10) }
            number += fraction
        }
        switch unsafe current {
        case UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
        default: break
        }
        guard number <= 1 << 53 else { return nil }
        let magnitude = Double(number) / divisor
        return isNegative ? -magnitude : magnitude
    }
}
