// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

enum StringMethods {
    /// `pattern` is the first argument if it was known before.
    static func call(
        _ method: Method, _ text: Text, _ arguments: [RuleValue], _ pattern: Pattern?, _ room: Int,
        _ steps: inout Int
    ) throws(EvaluationError) -> RuleValue? {
        switch (method, arguments.count) {
        case (.size, 0): return .int(Int64(text.utf16Count))
        case (.lower, 0): return .string(mapped(text, from: "A"..."Z", by: 32))
        case (.upper, 0): return .string(mapped(text, from: "a"..."z", by: -32))
        case (.trim, 0): return .string(trimmed(text))
        case (.toUtf8, 0): return .bytes(utf8(text))
        case (.matches, 1):
            guard case .string(let source) = arguments[0] else { return nil }
            return .bool(try compiled(pattern, source).matches(text.utf16Units, &steps))
        case (.split, 1):
            guard case .string(let source) = arguments[0] else { return nil }
            let pieces = try compiled(pattern, source).split(text.utf16Units, atMost: room / 8 + 1, &steps)
            return .list(RuleList(pieces.map { .string(Text(utf16: $0)) }))
        case (.replace, 2):
            guard case .string(let source) = arguments[0], case .string(let template) = arguments[1] else {
                return nil
            }
            let replaced = try compiled(pattern, source).replace(
                text.utf16Units, template.utf16Units, atMost: room, &steps)
            guard let units = replaced else {
                throw .other("The replacement \(template) names a group that the pattern does not have.")
            }
            return .string(Text(utf16: units))
        default: return nil
        }
    }

    private static func compiled(_ pattern: Pattern?, _ source: Text) throws(EvaluationError) -> Pattern {
        if let pattern { return pattern }
        return try Pattern.make(source)
    }

    /// ASCII letters only.
    private static func mapped(_ text: Text, from letters: ClosedRange<Unicode.Scalar>, by offset: Int) -> Text {
        var scalars = String.UnicodeScalarView()
        for scalar in text.string.unicodeScalars {
            let value = letters.contains(scalar) ? UInt32(Int(scalar.value) + offset) : scalar.value
            scalars.append(Unicode.Scalar(value) ?? scalar)
        }
        return Text(String(scalars))
    }

    /// Without characters up to U+0020 at the ends.
    private static func trimmed(_ text: Text) -> Text {
        var scalars = text.string.unicodeScalars[...]
        while let first = scalars.first, first.value <= 0x20 { scalars.removeFirst() }
        while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
        return Text(String(scalars))
    }

    /// A lone surrogate is written as `?`.
    static func utf8(_ text: Text) -> [UInt8] { Array(text.withoutLoneSurrogates.utf8) }
}

enum BytesMethods {
    static func call(_ method: Method, _ bytes: [UInt8], _ arguments: [RuleValue]) -> RuleValue? {
        switch (method, arguments.count) {
        case (.size, 0): return .int(Int64(bytes.count))
        case (.toBase64, 0): return .string(Text(base64(bytes)))
        case (.toHexString, 0):
            let digits = Array("0123456789ABCDEF")
            return .string(Text(String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })))
        default: return nil
        }
    }

    /// The URL-safe alphabet, padded.
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63] : "=")
            }
        }
        return text
    }
}
