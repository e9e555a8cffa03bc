// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Copies a source that parses, with edits made on the way.
struct SourceEditor {
    private let source: [UInt8]
    private var tokens: TokenWalk
    private var result: [UInt8] = []
    /// Everything before it is in ``result`` or left out.
    private var copied = 0
    /// The last token that stays.
    private var last = 0..<0
    private var count = 0

    /// - Parameter edits: in the order of the source. One inside an element that another removes is not made.
    /// - Returns: the new source, and how many edits were made.
    static func edited(_ source: [UInt8], by edits: [LintEdit]) -> (source: [UInt8], count: Int) {
        var editor = SourceEditor(source)
        for edit in edits { editor.make(edit) }
        editor.cut(source.count..<source.count)
        return (editor.result, editor.count)
    }

    private init(_ source: [UInt8]) {
        self.source = source
        tokens = TokenWalk(source)
    }

    private mutating func make(_ edit: LintEdit) {
        guard edit.offset >= tokens.place else { return }
        while let token = tokens.next() {
            guard token.lowerBound < edit.offset else { return make(edit, of: token) }
            last = token
        }
    }

    private mutating func make(_ edit: LintEdit, of token: Range<Int>) {
        count += 1
        switch edit {
        case .removeByte: cut(token)
        case .replaceString(_, let text):
            cut(token)
            result += JSONNode.string(text).text().utf8
            last = token
        case .removeElement: removeElement(token.lowerBound..<tokens.endOfValue(from: token))
        }
    }

    /// With the comma before it, or for the first element that stays the one after it. A comment beside a comma stays.
    private mutating func removeElement(_ element: Range<Int>) {
        if isComma(last) {
            if isBlank(last.upperBound..<element.lowerBound) {
                cut(last.lowerBound..<element.upperBound)
            } else {
                cut(last)
                cut(element)
            }
            last = element
            return
        }
        cut(element)
        var ahead = tokens
        guard let comma = ahead.next(), isComma(comma) else { return }
        tokens = ahead
        var end = comma.upperBound
        while end < source.count, TokenWalk.isSpace(source[end]) { end += 1 }
        cut((isBlank(element.upperBound..<comma.lowerBound) ? element.upperBound : comma.lowerBound)..<end)
    }

    private mutating func cut(_ range: Range<Int>) {
        result += source[copied..<range.lowerBound]
        copied = range.upperBound
    }

    private func isComma(_ token: Range<Int>) -> Bool {
        !token.isEmpty && source[token.lowerBound] == UInt8(ascii: ",")
    }

    private func isBlank(_ range: Range<Int>) -> Bool { source[range].allSatisfy(TokenWalk.isSpace) }
}

/// Steps through the tokens of a source that parses: marks, strings, other scalars. White space and comments are passed over.
private struct TokenWalk {
    private let source: [UInt8]
    /// Behind the last token.
    private(set) var place = 0

    init(_ source: [UInt8]) {
        self.source = source
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    mutating func next() -> Range<Int>? {
        skipInsignificant()
        guard place < source.count else { return nil }
        let start = place
        if source[place] == UInt8(ascii: "\"") {
            skipString()
        } else {
            place += 1
            guard !TokenWalk.isMark(source[start]) else { return start..<place }
            while place < source.count, !endsScalar(source[place]) { place += 1 }
        }
        return start..<place
    }

    /// Behind the value that begins with a token.
    mutating func endOfValue(from token: Range<Int>) -> Int {
        var depth = 0
        var token: Range<Int>? = token
        while let current = token {
            switch source[current.lowerBound] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth == 0 { return current.upperBound }
            token = next()
        }
        return place
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }

    private func endsScalar(_ byte: UInt8) -> Bool {
        TokenWalk.isSpace(byte) || TokenWalk.isMark(byte) || byte == UInt8(ascii: "/")
    }

    private mutating func skipInsignificant() {
        while place < source.count {
            if TokenWalk.isSpace(source[place]) {
                place += 1
            } else if source[place] == UInt8(ascii: "/") {
                skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        let isBlock = place + 1 < source.count && source[place + 1] == UInt8(ascii: "*")
        place += 2
        if isBlock {
            while place + 1 < source.count, source[place] != UInt8(ascii: "*") || source[place + 1] != UInt8(ascii: "/")
            {
                place += 1
            }
            place += 2
        } else {
            while place < source.count, source[place] != 0x0A, source[place] != 0x0D { place += 1 }
        }
    }

    private mutating func skipString() {
        place += 1
        while place < source.count, source[place] != UInt8(ascii: "\"") {
            place += source[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
    }
}
