// SPDX-License-Identifier: Apache-2.0

/// Splits a query's text into tokens.
struct QueryTextLexer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    static func tokens(_ text: String) throws(QueryTextError) -> [QueryTextToken] {
        var lexer = QueryTextLexer(text)
        var tokens: [QueryTextToken] = []
        repeat { tokens.append(try lexer.next()) } while tokens[tokens.count - 1].kind != .end
        return tokens
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() throws(QueryTextError) -> QueryTextToken {
        while let byte = current, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
        let start = position
        guard let byte = current else { return QueryTextToken(kind: .end, offset: start) }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return QueryTextToken(kind: .string(try string(quote: byte)), offset: start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            return QueryTextToken(kind: try number(), offset: start)
        case _ where QueryTextLexer.isIdentifier(byte):
            while let byte = current, QueryTextLexer.isIdentifier(byte) { position += 1 }
            return QueryTextToken(kind: .identifier(text(from: start)), offset: start)
        case _ where "().,[]{}:;".utf8.contains(byte):
            position += 1
            return QueryTextToken(kind: .mark(byte), offset: start)
        default:
            let character = String(decoding: bytes[position...], as: UTF8.self).first ?? "?"
            throw QueryTextError("'\(character)' has no meaning here; put text in quotes", at: start)
        }
    }

    /// Letters, digits, `_`, `$` and all non-ASCII bytes.
    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    /// Numbers as in JSON, and `-Infinity`.
    private mutating func number() throws(QueryTextError) -> QueryTextToken.Kind {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if bytes[position...].starts(with: "Infinity".utf8) {
            position += 8
            return .number("-Infinity")
        }
        digits()
        if current == UInt8(ascii: "."), position + 1 < bytes.count, isDigit(bytes[position + 1]) {
            position += 1
            digits()
        }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if let sign = current, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            digits()
        }
        let number = text(from: start)
        if let byte = current, QueryTextLexer.isIdentifier(byte) { position += 1 }
        guard position == start + number.utf8.count, Double(number)?.isFinite ?? false else {
            throw QueryTextError("\(text(from: start)) is no number", at: start)
        }
        return .number(number)
    }

    private mutating func digits() { while let byte = current, isDigit(byte) { position += 1 } }

    private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private mutating func string(quote: UInt8) throws(QueryTextError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case quote: return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &content)
            default: content.append(byte)
            }
        }
        throw QueryTextError("this text has no closing \(Character(Unicode.Scalar(quote)))", at: start)
    }

    private mutating func escape(into content: inout [UInt8]) throws(QueryTextError) {
        let start = position - 1
        guard let byte = current else { throw QueryTextError("an escape ends too soon", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "u"):
            var units = [try codeUnit(start)]
            if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
                position += 2
                units.append(try codeUnit(start))
            }
            guard let decoded = String(validating: units, as: UTF16.self) else {
                throw QueryTextError("unknown escape", at: start)
            }
            content += Array(decoded.utf8)
        case _ where "\"'\\/`".utf8.contains(byte): content.append(byte)
        default: throw QueryTextError("there is no escape \\\(Character(Unicode.Scalar(byte)))", at: start)
        }
    }

    private mutating func codeUnit(_ start: Int) throws(QueryTextError) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw QueryTextError("\\u takes four hexadecimal digits", at: start)
        }
        position += 4
        return unit
    }
}

/// A token of a query's text.
struct QueryTextToken: Equatable {
    enum Kind: Equatable {
        case identifier(String)
        case string(String)
        /// As written, with its sign.
        case number(String)
        case mark(UInt8)
        case end
    }

    let kind: Kind
    let offset: Int

    /// The token as shown in error messages.
    var description: String {
        switch kind {
        case .identifier(let name): "'\(name)'"
        case .string(let text): "the text \"\(text)\""
        case .number(let text): "the number \(text)"
        case .mark(let byte): "'\(Character(Unicode.Scalar(byte)))'"
        case .end: "the end"
        }
    }
}
