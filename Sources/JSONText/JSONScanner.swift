// SPDX-License-Identifier: Apache-2.0

/// Reads the tokens of JSON in one pass. Each string is created once.
struct JSONScanner: ~Escapable {
    let bytes: Span<UInt8>
    private let allowsComments: Bool
    private(set) var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, allowsComments: Bool, position: Int = 0) {
        self.bytes = bytes
        self.allowsComments = allowsComments
        self.position = position
    }

    static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Nil at the end.
    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    @_lifetime(self: copy self)
    mutating func advance(by count: Int = 1) { position += count }

    @_lifetime(self: copy self)
    mutating func skipByteOrderMark() throws(JSONSyntaxError) {
        guard bytes.count >= 2 else { return }
        switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE), (0xFE, 0xFF): throw failure("the text is UTF-16: save it as UTF-8", at: 0)
        case (0xEF, 0xBB) where bytes.count >= 3 && bytes[2] == 0xBF:
            throw failure("the text begins with a byte order mark: save it as UTF-8 without one", at: 0)
        default: return
        }
    }

    /// Skips white space, and comments if they are allowed.
    @_lifetime(self: copy self)
    mutating func skipInsignificant() throws(JSONSyntaxError) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case UInt8(ascii: "/"): try skipComment()
            default: return
            }
        }
    }

    @_lifetime(self: copy self)
    private mutating func skipComment() throws(JSONSyntaxError) {
        let start = position
        let second = start + 1 < bytes.count ? bytes[start + 1] : 0
        guard second == UInt8(ascii: "/") || second == UInt8(ascii: "*") else {
            throw unexpected("a comment would begin with // or /*")
        }
        guard allowsComments else { throw failure("comments are not allowed here") }
        position += 2
        if second == UInt8(ascii: "/") {
            while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        } else {
            while position + 1 < bytes.count,
                bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
            {
                position += 1
            }
            guard position + 1 < bytes.count else {
                throw failure("this comment is not closed: */ is missing", at: start)
            }
            position += 2
        }
        _ = try makeString(start..<position)
    }

    /// A number, a string, `true`, `false` or `null`.
    @_lifetime(self: copy self)
    mutating func readScalar() throws(JSONSyntaxError) -> JSONNode {
        let start = position
        let value: JSONValue
        switch current {
        case UInt8(ascii: "\""): value = .string(try readString())
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            value = .number(JSONNumber(text: try readNumber()))
        case UInt8(ascii: "t"): value = try readWord("true", .boolean(true))
        case UInt8(ascii: "f"): value = try readWord("false", .boolean(false))
        case UInt8(ascii: "n"): value = try readWord("null", .null)
        default: throw unexpected("a value is needed")
        }
        return JSONNode(value, range: start..<position)
    }

    @_lifetime(self: copy self)
    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let start = position
        for expected in word.description.utf8 {
            guard current == expected else { throw unexpected("a value is needed, such as \(word)", at: start) }
            position += 1
        }
        return value
    }

    @_lifetime(self: copy self)
    private mutating func readNumber() throws(JSONSyntaxError) -> String {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
            if isDigit(current) { throw failure("a number must not begin with 0", at: start) }
        } else {
            try readDigits()
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try readDigits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        return try makeString(start..<position)
    }

    @_lifetime(self: copy self)
    private mutating func readDigits() throws(JSONSyntaxError) {
        guard isDigit(current) else { throw unexpected("a number needs a digit here") }
        while isDigit(current) { position += 1 }
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// The bytes as a string, validated as UTF-8.
    func makeString(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes.extracting(range)))
        } catch {
            throw failure("these bytes are not UTF-8", at: range.lowerBound + error.byteOffsets.lowerBound)
        }
    }
}

extension JSONScanner {
    func failure(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(message: message, offset: offset ?? position)
    }

    /// An error that names the byte at the current position and what is needed instead.
    func unexpected(_ needed: String, at offset: Int? = nil) -> JSONSyntaxError {
        let offset = offset ?? position
        guard offset < bytes.count else {
            return failure("the text ends too early: \(needed)", at: bytes.count)
        }
        let byte = bytes[offset]
        if byte == UInt8(ascii: "'") {
            return failure("strings are written with \" and not with '", at: offset)
        }
        let found =
            (0x21...0x7E).contains(byte)
            ? "unexpected \(Character(Unicode.Scalar(byte)))"
            : "unexpected byte 0x" + String(byte, radix: 16, uppercase: true)
        return failure("\(found): \(needed)", at: offset)
    }
}
