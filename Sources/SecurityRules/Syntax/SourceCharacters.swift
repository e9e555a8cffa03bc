// SPDX-License-Identifier: Apache-2.0

extension Lexer {
    /// A text as messages show it.
    static func display(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            switch scalar {
            case "\n": shown += "\\n"
            case "\r": shown += "\\r"
            case "\t": shown += "\\t"
            default: shown.unicodeScalars.append(scalar)
            }
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    static func startsWord(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x24 }

    static func continuesWord(_ byte: UInt8) -> Bool { startsWord(byte) || isDigit(byte) }

    static func isSegmentByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x24: false
        case 0x2E, 0x7E, 0x3A, 0x40, 0x2A, 0x26, 0x27, 0x25, 0x2B, 0x2D: true
        default: continuesWord(byte)
        }
    }
}

extension Unicode.Scalar {
    /// One of the ten ASCII digits.
    var isRuleDigit: Bool { ("0"..."9").contains(self) }

    var isRuleHexDigit: Bool { isASCII && Lexer.isHexDigit(UInt8(value)) }

    /// A letter, an underscore or a dollar sign.
    var startsRuleWord: Bool { isASCII && Lexer.startsWord(UInt8(value)) }
}
