// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// - Precondition: the current byte is `"`.
    @_lifetime(self: copy self)
    mutating func readString() throws(JSONSyntaxError) -> String {
        let open = position
        var end = open + 1
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") {
                advance(by: end + 1 - position)
                return try makeString(open + 1..<end)
            }
            if byte == UInt8(ascii: "\\") {
                return try readStringWithEscapes(from: open, firstEscape: end)
            }
            if byte < 0x20 { throw controlCharacter(byte, at: end) }
            end += 1
        }
        throw unterminated(open)
    }

    @_lifetime(self: copy self)
    mutating func readKey() throws(JSONSyntaxError) -> String {
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes is needed") }
        return try readString()
    }

    /// Builds a string with escapes in a buffer: runs without escapes are validated and copied whole.
    @_lifetime(self: copy self)
    private mutating func readStringWithEscapes(from open: Int, firstEscape: Int) throws(JSONSyntaxError) -> String {
        var result = ""
        var runStart = open + 1
        advance(by: firstEscape - position)
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                result += try makeString(runStart..<position)
                advance()
                return result
            case UInt8(ascii: "\\"):
                result += try makeString(runStart..<position)
                result.unicodeScalars.append(try readEscape())
                runStart = position
            case 0..<0x20: throw controlCharacter(byte, at: position)
            default: advance()
            }
        }
        throw unterminated(open)
    }

    /// - Precondition: the current byte is a backslash.
    @_lifetime(self: copy self)
    private mutating func readEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        advance()
        guard let kind = current else { throw unexpected("an escape is needed after \\") }
        advance()
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape(from: start)
        default:
            throw failure("unknown escape: after \\ stands one of \" \\ / b f n r t u", at: start)
        }
    }

    @_lifetime(self: copy self)
    private mutating func readUnicodeEscape(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar {
        let unit = try readHexadecimal(from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw loneSurrogate(at: start) }
        advance(by: 2)
        let low = try readHexadecimal(from: position - 2)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw loneSurrogate(at: start) }
        return scalar
    }

    @_lifetime(self: copy self)
    private mutating func readHexadecimal(from start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure("\\u needs four hexadecimal digits", at: start)
            }
            value = value << 4 + UInt32(digit)
            advance()
        }
        return value
    }

    private func loneSurrogate(at offset: Int) -> JSONSyntaxError {
        failure("half a surrogate pair: \\uD800 to \\uDBFF and \\uDC00 to \\uDFFF stand only together", at: offset)
    }

    private func controlCharacter(_ byte: UInt8, at offset: Int) -> JSONSyntaxError {
        let code = String(byte, radix: 16, uppercase: true)
        let escape = "\\u00" + (byte < 0x10 ? "0" : "") + code
        return failure(
            byte == 0x0A || byte == 0x0D
                ? "a string ends before the end of its line: close it with \" or write \\n"
                : "a control character in a string is written as an escape: \(escape)", at: offset)
    }

    private func unterminated(_ open: Int) -> JSONSyntaxError {
        failure("this string is not closed: \" is missing", at: open)
    }
}
