// SPDX-License-Identifier: Apache-2.0

/// The characters that control a terminal or change the direction of its text: the control characters except line feed,
/// DEL, U+0080 to U+009F, the marks, embeddings, overrides and isolates of bidirectional text, and the separators
/// U+2028 and U+2029. They are escaped as `\u001b`, which is the same value in JSON text.
enum ControlCharacters {
    /// Starts an escape sequence of the tool itself, such as a colour. The number is random in each run, so that no
    /// stored text can contain it.
    static let order = "\u{1B}" + number
    private static let number = String(UInt64.random(in: .min ... .max), radix: 36)
    private static let numberBytes = Array(number.utf8)

    /// UTF-8 text that is safe for a terminal: control characters are escaped, except the tool's own escape sequences.
    ///
    /// - Parameter keepingText: leaves those as they are that ordinary text has: see ``belongsToText(_:)``.
    static func escaped(_ bytes: [UInt8], keepingText: Bool = false) -> [UInt8] {
        guard let first = bytes.firstIndex(where: mayBegin) else { return bytes }
        var result = Array(bytes[..<first])
        result.reserveCapacity(bytes.count + 64)
        var index = first
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x1B, bytes[(index + 1)...].starts(with: numberBytes) {
                result.append(byte)
                index += 1 + numberBytes.count
            } else if mayBegin(byte), let (scalar, length) = character(bytes[index...]) {
                if keepingText, belongsToText(scalar) {
                    result.append(contentsOf: bytes[index..<index + length])
                } else {
                    result.append(contentsOf: escape(scalar).utf8)
                }
                index += length
            } else {
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    static func escape(_ scalar: UInt32) -> String {
        let digits = String(scalar, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Tabs, carriage returns, the separators of lines and paragraphs, and the marks of direction, which Arabic and Hebrew need.
    private static func belongsToText(_ scalar: UInt32) -> Bool {
        [0x09, 0x0D, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029].contains(scalar)
    }

    private static func mayBegin(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A) || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
    }

    /// The control character at the start of the bytes, and its length in UTF-8.
    private static func character(_ bytes: ArraySlice<UInt8>) -> (scalar: UInt32, length: Int)? {
        var text = bytes.prefix(3).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&text), contains(scalar) else { return nil }
        return (scalar.value, UTF8.width(scalar))
    }
}

extension String {
    /// The string on one line, with its control characters escaped.
    var printable: String {
        guard unicodeScalars.contains(where: ControlCharacters.contains) else { return onOneLine }
        return String(decoding: ControlCharacters.escaped(Array(onOneLine.utf8)), as: UTF8.self)
    }

    /// The string with its line breaks escaped. Works on bytes, because CR and LF form one `Character`.
    var onOneLine: String {
        guard utf8.contains(UInt8(ascii: "\n")) else { return self }
        return String(decoding: utf8.flatMap { $0 == UInt8(ascii: "\n") ? Array("\\n".utf8) : [$0] }, as: UTF8.self)
    }
}
