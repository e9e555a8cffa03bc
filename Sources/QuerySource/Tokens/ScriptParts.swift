// SPDX-License-Identifier: Apache-2.0

/// The code in files that contain other things too. What is no code becomes blank, so that places stay.
enum ScriptParts {
    static func code(_ source: [UInt8], _ fileExtension: String) -> [UInt8] {
        switch fileExtension {
        case "vue", "svelte": blank(source, outside: "<script", "</script")
        case "php": blank(source, outside: "<?php", "?>")
        default: source
        }
    }

    /// Blanks everything outside the parts that begin with a line that has `open`.
    private static func blank(_ source: [UInt8], outside open: String, _ close: String) -> [UInt8] {
        let (open, close) = (Array(open.utf8), Array(close.utf8))
        var result = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        var position = 0
        while let start = find(open, in: source, from: position) {
            var begin = start + open.count
            if open[1] == UInt8(ascii: "s") {
                while begin < source.count, source[begin] != UInt8(ascii: ">") { begin += 1 }
                begin += 1
            }
            guard begin < source.count else { break }
            let end = open[1] == UInt8(ascii: "?") ? endOfPHP(source, begin) : find(close, in: source, from: begin)
            result.replaceSubrange(begin..<(end ?? source.count), with: source[begin..<(end ?? source.count)])
            position = end ?? source.count
        }
        return result
    }

    /// Where a part of PHP ends: at a mark that is in no string and no comment of several lines; nil if nothing follows it.
    private static func endOfPHP(_ source: [UInt8], _ start: Int) -> Int? {
        var position = start
        while position < source.count {
            let rest = source[position...]
            if rest.starts(with: "?>".utf8) { return position }
            position = endOfText(source, position) ?? position + 1
        }
        return nil
    }

    /// The place after a string or a comment that begins here; nil if none does.
    private static func endOfText(_ source: [UInt8], _ start: Int) -> Int? {
        let rest = source[start...]
        switch source[start] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            var position = start + 1
            while position < source.count, source[position] != source[start] {
                position += source[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(position + 1, source.count)
        case UInt8(ascii: "#") where rest.starts(with: "#[".utf8): return nil
        case UInt8(ascii: "#"),
            UInt8(ascii: "/") where rest.starts(with: "//".utf8):
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            return find(Array("?>".utf8), in: Array(line), from: 0).map { start + $0 } ?? line.endIndex
        case UInt8(ascii: "/") where rest.starts(with: "/*".utf8):
            return find(Array("*/".utf8), in: source, from: start + 2).map { $0 + 2 } ?? source.count
        case UInt8(ascii: "<") where rest.starts(with: "<<<".utf8): return endOfHeredoc(source, start + 3)
        default: return nil
        }
    }

    /// A text of several lines ends with its name at the beginning of a line.
    private static func endOfHeredoc(_ source: [UInt8], _ start: Int) -> Int? {
        let quotes = Array(" \t'\"".utf8)
        let name = source[start...].drop { quotes.contains($0) }.prefix { isNameByte($0) }
        var position = name.endIndex
        while !name.isEmpty, let line = source[position...].firstIndex(of: UInt8(ascii: "\n")) {
            let text = source[(line + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if text.starts(with: name), text.dropFirst(name.count).first.map({ !isNameByte($0) }) ?? true {
                return text.startIndex + name.count
            }
            position = line + 1
        }
        return name.isEmpty ? nil : source.count
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte >= 0x80 || Character(UnicodeScalar(byte)).isLetter
            || Character(UnicodeScalar(byte)).isNumber
    }

    static func find(_ word: [UInt8], in source: [UInt8], from start: Int) -> Int? {
        guard source.count >= word.count, start <= source.count - word.count else { return nil }
        return (start...source.count - word.count).first { source[$0..<$0 + word.count].elementsEqual(word) }
    }
}
