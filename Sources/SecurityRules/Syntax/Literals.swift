// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The values of quoted literals, whose escapes the lexer has checked.
enum Literals {
    static func string(_ literal: String) -> Text {
        let inner = literal.dropFirst().dropLast()
        guard inner.utf8.contains(0x5C) else { return Text(String(inner)) }
        return Text(utf16: units(Array(inner.utf16)))
    }

    /// `b'…'`: characters give their UTF-8, escapes one byte each.
    static func bytes(_ literal: String) -> [UInt8] {
        let bytes = literal.dropFirst(2).dropLast().utf8.map(UInt16.init)
        return units(bytes).map(UInt8.init(truncatingIfNeeded:))
    }

    private static func units(_ source: [UInt16]) -> [UInt16] {
        var units: [UInt16] = []
        var index = 0
        while index < source.count {
            guard source[index] == 0x5C else {
                units.append(source[index])
                index += 1
                continue
            }
            let (unit, length) = escape(source, index + 1)
            units.append(unit)
            index += 1 + length
        }
        return units
    }

    private static func escape(_ source: [UInt16], _ index: Int) -> (unit: UInt16, length: Int) {
        let letter = Character(Unicode.Scalar(source[index]) ?? " ")
        func number(_ start: Int, _ count: Int, _ radix: Int) -> UInt16 {
            UInt16(String(decoding: source[start..<start + count], as: UTF16.self), radix: radix) ?? 0
        }
        return switch letter {
        case "n": (0x0A, 1)
        case "t": (0x09, 1)
        case "r": (0x0D, 1)
        case "b": (0x08, 1)
        case "f": (0x0C, 1)
        case "u": (number(index + 1, 4, 16), 5)
        case "x": (number(index + 1, 2, 16), 3)
        case "0"..."3": (number(index, 3, 8), 3)
        default: (source[index], 1)
        }
    }
}
