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
            var end = find(close, in: source, from: begin) ?? source.count
            while end < source.count, isInComment(end, in: source) {
                end = find(close, in: source, from: end + 1) ?? source.count
            }
            result.replaceSubrange(begin..<end, with: source[begin..<end])
            position = end
        }
        return result
    }

    /// Whether the line begins with the star of a comment that goes on, as where PHP's comments show PHP.
    private static func isInComment(_ index: Int, in source: [UInt8]) -> Bool {
        let before = source[max(0, index - 200)..<index]
        guard source[index] == UInt8(ascii: "?"), let line = before.lastIndex(of: UInt8(ascii: "\n")) else {
            return false
        }
        let text = String(decoding: before[(line + 1)...], as: UTF8.self).drop { $0 == " " || $0 == "\t" }
        return text.hasPrefix("*") && !text.contains("*/")
    }

    private static func find(_ word: [UInt8], in source: [UInt8], from start: Int) -> Int? {
        guard source.count >= word.count, start <= source.count - word.count else { return nil }
        return (start...source.count - word.count).first { source[$0..<$0 + word.count].elementsEqual(word) }
    }
}
