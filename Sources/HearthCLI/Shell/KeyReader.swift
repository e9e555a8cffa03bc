// SPDX-License-Identifier: Apache-2.0

/// Reads keys from a terminal in raw mode: UTF-8, control characters and the escape sequences of usual terminals.
struct KeyReader {
    private var bytes: [UInt8] = []
    private var position = 0

    /// A terminal sends a sequence at once; an Escape with nothing behind it is the key of that name.
    private static let escapeTimeout: Int32 = 50

    mutating func next() -> Key {
        guard let byte = nextByte() else { return .endOfInput }
        switch byte {
        case 0x1B: return escape()
        case 0x00..<0x20, 0x7F: return KeyReader.controls[byte] ?? .unknown
        default: return .text(scalars(byte))
        }
    }

    private static let controls: [UInt8: Key] = [
        0x01: .start, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .eraseBack,
        0x09: .complete, 0x0A: .enter, 0x0B: .eraseToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .later,
        0x10: .earlier, 0x15: .eraseToStart, 0x17: .eraseWord, 0x1A: .suspend, 0x7F: .eraseBack,
    ]

    // MARK: Bytes

    private mutating func nextByte() -> UInt8? {
        if position == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            position = 0
            guard let count = try? System.readPiece(System.standardInput, 4_096, to: &bytes), count > 0 else {
                return nil
            }
        }
        position += 1
        return bytes[position - 1]
    }

    private var hasMore: Bool { position < bytes.count || System.hasInput(milliseconds: KeyReader.escapeTimeout) }

    /// A scalar of UTF-8; the replacement character for what is none.
    private mutating func scalars(_ first: UInt8) -> String {
        var piece = [first]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        while piece.count < length, hasMore, let byte = nextByte() {
            guard byte & 0xC0 == 0x80 else {
                position -= 1
                break
            }
            piece.append(byte)
        }
        return String(decoding: piece, as: UTF8.self)
    }

    // MARK: Escape sequences

    private mutating func escape() -> Key {
        guard hasMore, let byte = nextByte() else { return .unknown }
        switch byte {
        case UInt8(ascii: "["): return sequence()
        case UInt8(ascii: "O"): return nextByte().flatMap { KeyReader.finals[$0] } ?? .unknown
        case UInt8(ascii: "b"): return .wordLeft
        case UInt8(ascii: "f"): return .wordRight
        case 0x7F: return .eraseWord
        default: return .unknown
        }
    }

    /// `CSI parameters final`.
    private mutating func sequence() -> Key {
        var parameters = ""
        while let byte = nextByte() {
            guard (0x40...0x7E).contains(byte) else {
                parameters.unicodeScalars.append(UnicodeScalar(byte))
                continue
            }
            guard byte == UInt8(ascii: "~") else {
                // With Control or Alt.
                let isWord = parameters.hasSuffix(";5") || parameters.hasSuffix(";3")
                if isWord, byte == UInt8(ascii: "C") { return .wordRight }
                if isWord, byte == UInt8(ascii: "D") { return .wordLeft }
                return KeyReader.finals[byte] ?? .unknown
            }
            return parameters == "200" ? pasted() : KeyReader.numbered[parameters] ?? .unknown
        }
        return .unknown
    }

    private static let finals: [UInt8: Key] = [
        UInt8(ascii: "A"): .earlier, UInt8(ascii: "B"): .later, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .start, UInt8(ascii: "F"): .end,
    ]

    private static let numbered: [String: Key] = [
        "1": .start, "7": .start, "4": .end, "8": .end, "3": .eraseForward,
    ]

    /// What stands between the marks of a paste.
    private mutating func pasted() -> Key {
        let close = Array("\u{1B}[201~".utf8)
        var text: [UInt8] = []
        while let byte = nextByte() {
            text.append(byte)
            if text.suffix(close.count) == close[...] {
                text.removeLast(close.count)
                break
            }
        }
        return .paste(String(decoding: text, as: UTF8.self))
    }
}
