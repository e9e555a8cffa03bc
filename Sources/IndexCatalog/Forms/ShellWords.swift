// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The commands of a shell script, split into words as a POSIX shell splits them, without expansions.
enum ShellWords {
    struct Word {
        let text: String
        let range: Range<Int>
    }

    static func commands(_ source: [UInt8]) throws(JSONSyntaxError) -> [[Word]] {
        var reader = Reader(source: source)
        while reader.place < source.count { try reader.step() }
        reader.endCommand()
        return reader.commands
    }

    private struct Reader {
        let source: [UInt8]
        var place = 0
        var commands: [[Word]] = []
        private var words: [Word] = []
        private var bytes: [UInt8] = []
        /// Where the current word begins; nil between words.
        private var start: Int?

        init(source: [UInt8]) {
            self.source = source
        }

        mutating func step() throws(JSONSyntaxError) {
            let byte = source[place]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                endWord()
                place += 1
            case UInt8(ascii: "\n"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
                endCommand()
                place += 1
            case UInt8(ascii: "#") where start == nil:
                place = source[place...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
            case UInt8(ascii: "\\"): escape()
            case UInt8(ascii: "$") where isBeforeQuote:
                if start == nil { start = place }
                place += 1
                try quote(UInt8(ascii: "'"), hasEscapes: true)
            case UInt8(ascii: "'"), UInt8(ascii: "\""): try quote(byte)
            default: append(byte)
            }
        }

        private var isBeforeQuote: Bool { place + 1 < source.count && source[place + 1] == UInt8(ascii: "'") }

        private mutating func append(_ byte: UInt8) {
            if start == nil { start = place }
            bytes.append(byte)
            place += 1
        }

        /// A backslash at the end of a line continues it.
        private mutating func escape() {
            place += 1
            if place < source.count, source[place] == UInt8(ascii: "\r") { place += 1 }
            guard place < source.count else { return }
            guard source[place] == UInt8(ascii: "\n") else { return append(source[place]) }
            endWord()
            place += 1
        }

        /// - Parameter hasEscapes: as in Bash's `$'…'`.
        private mutating func quote(_ mark: UInt8, hasEscapes: Bool = false) throws(JSONSyntaxError) {
            let open = place
            if start == nil { start = open }
            place += 1
            while place < source.count, source[place] != mark {
                let isEscaped = source[place] == UInt8(ascii: "\\") && place + 1 < source.count
                if isEscaped, hasEscapes || mark == UInt8(ascii: "\"") { place += 1 }
                bytes.append(isEscaped && hasEscapes ? Reader.escaped(source[place]) : source[place])
                place += 1
            }
            guard place < source.count else {
                throw JSONSyntaxError(message: "this quotation mark is not closed", offset: open)
            }
            place += 1
        }

        private static func escaped(_ byte: UInt8) -> UInt8 {
            switch byte {
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: byte
            }
        }

        private mutating func endWord() {
            guard let start else { return }
            words.append(Word(text: String(decoding: bytes, as: UTF8.self), range: start..<place))
            (bytes, self.start) = ([], nil)
        }

        mutating func endCommand() {
            endWord()
            if !words.isEmpty { commands.append(words) }
            words = []
        }
    }
}
