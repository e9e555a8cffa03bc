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
            let end = find(close, in: source, from: begin) ?? source.count
            result.replaceSubrange(begin..<end, with: source[begin..<end])
            position = end
        }
        return result
    }

    private static func find(_ word: [UInt8], in source: [UInt8], from start: Int) -> Int? {
        guard source.count >= word.count, start <= source.count - word.count else { return nil }
        return (start...source.count - word.count).first { source[$0..<$0 + word.count].elementsEqual(word) }
    }
}
