// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Reads the blocks and attributes of a Terraform file. It understands literals, names, and lists and objects of these; other
/// expressions it passes over.
struct TerraformParser {
    let source: [UInt8]
    var place = 0
    var depth = 0

    /// Deeper blocks are refused.
    static let maximumDepth = 100

    init(_ source: [UInt8]) {
        self.source = source
    }

    /// The blocks at the top of the file, behind a byte order mark if it has one.
    mutating func blocks() throws(JSONSyntaxError) -> [TerraformBlock] {
        if source.starts(with: ConfigurationForm.byteOrderMark) { place = ConfigurationForm.byteOrderMark.count }
        let (_, blocks) = try body(isNested: false)
        return blocks
    }

    private typealias Body = (attributes: [(name: String, value: TerraformValue)], blocks: [TerraformBlock])

    private mutating func body(isNested: Bool) throws(JSONSyntaxError) -> Body {
        var body: Body = ([], [])
        while true {
            skipBlank()
            guard place < source.count else {
                guard !isNested else { throw failure("a closing brace is missing", at: source.count) }
                return body
            }
            if isNested, source[place] == UInt8(ascii: "}") {
                place += 1
                return body
            }
            let start = place
            let name = word()
            guard !name.isEmpty else { throw failure("a block or an attribute is expected", at: start) }
            skipBlank(lines: false)
            if place < source.count, source[place] == UInt8(ascii: "="), byte(after: place) != UInt8(ascii: "=") {
                place += 1
                body.attributes.append((name, try value()))
            } else {
                body.blocks.append(try block(name, from: start))
            }
        }
    }

    private mutating func block(_ type: String, from start: Int) throws(JSONSyntaxError) -> TerraformBlock {
        var labels: [String] = []
        while true {
            skipBlank(lines: false)
            guard place < source.count else { throw failure("\(type) has no block", at: start) }
            switch source[place] {
            case UInt8(ascii: "{"):
                place += 1
                depth += 1
                guard depth <= TerraformParser.maximumDepth else { throw failure("too many nested blocks", at: start) }
                let (attributes, blocks) = try body(isNested: true)
                depth -= 1
                return TerraformBlock(
                    type: type, labels: labels, range: start..<place, attributes: attributes, blocks: blocks)
            case UInt8(ascii: "\""): labels.append(try string() ?? "")
            default:
                let label = word()
                guard !label.isEmpty else { throw failure("= or { is expected after \"\(type)\"", at: place) }
                labels.append(label)
            }
        }
    }

    // MARK: Values

    private mutating func value() throws(JSONSyntaxError) -> TerraformValue {
        skipBlank(lines: false)
        let start = place
        guard place < source.count else { throw failure("a value is missing", at: start) }
        let expression = try expression()
        skipBlank(lines: false)
        // What follows on the line belongs to the expression: "a" + b, f(x).
        let isWhole = place == source.count || [UInt8(ascii: "\n"), UInt8(ascii: "}")].contains(source[place])
        if isWhole, let expression { return TerraformValue(offset: start, expression: expression) }
        place = start
        try skipExpression()
        return TerraformValue(offset: start, expression: nil)
    }

    /// Passes over the rest of an expression: to the end of the line outside of brackets and strings.
    private mutating func skipExpression() throws(JSONSyntaxError) {
        var open = 0
        while place < source.count {
            // A comment may have brackets.
            if skipComment() { continue }
            switch source[place] {
            case UInt8(ascii: "\""):
                _ = try string()
                continue
            case UInt8(ascii: "<") where byte(after: place) == UInt8(ascii: "<"):
                try skipHeredoc()
                continue
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): open -= 1
            case UInt8(ascii: "}"):
                guard open > 0 else { return }
                open -= 1
            case UInt8(ascii: "\n") where open <= 0: return
            default: break
            }
            place += 1
        }
    }

    /// Passes over `<<WORD` and the lines up to one that is this word.
    private mutating func skipHeredoc() throws(JSONSyntaxError) {
        let start = place
        place += 2
        if place < source.count, source[place] == UInt8(ascii: "-") { place += 1 }
        let end = word()
        while !end.isEmpty, place < source.count {
            skipLine()
            place = min(place + 1, source.count)
            skipBlank(lines: false)
            let mark = place
            if word() == end, place == source.count || [0x0A, 0x0D].contains(source[place]) { return }
            place = mark
        }
        throw failure("this text has no end", at: start)
    }

    /// A string with its quotation marks; nil for a template with `${…}`, which is an expression.
    mutating func string() throws(JSONSyntaxError) -> String? {
        let start = place
        var bytes: [UInt8] = []
        var isTemplate = false
        place += 1
        while place < source.count, source[place] != UInt8(ascii: "\"") {
            let byte = source[place]
            if byte == UInt8(ascii: "\\"), let next = self.byte(after: place) {
                bytes.append(TerraformParser.escaped(next))
                place += 2
                continue
            }
            let isMark = byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%")
            // Doubled, it stands for itself.
            if isMark, self.byte(after: place) == byte, self.byte(after: place + 1) == UInt8(ascii: "{") {
                bytes += [byte, UInt8(ascii: "{")]
                place += 3
                continue
            }
            if isMark, self.byte(after: place) == UInt8(ascii: "{") {
                isTemplate = true
                try skipInterpolation()
                continue
            }
            bytes.append(byte)
            place += 1
        }
        guard place < source.count else { throw failure("this string is not closed", at: start) }
        place += 1
        return isTemplate ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Passes over `${…}` or `%{…}` in a string: an expression, which has braces, comments and strings of its own.
    private mutating func skipInterpolation() throws(JSONSyntaxError) {
        depth += 1
        guard depth <= TerraformParser.maximumDepth else { throw failure("too many nested templates", at: place) }
        place += 2
        var open = 1
        while place < source.count, open > 0 {
            if skipComment() { continue }
            switch source[place] {
            case UInt8(ascii: "\""):
                _ = try string()
                continue
            case UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "}"): open -= 1
            default: break
            }
            place += 1
        }
        depth -= 1
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        default: byte
        }
    }

    mutating func word() -> String {
        let start = place
        while place < source.count, TerraformParser.isPartOfWord(source[place]) { place += 1 }
        return String(decoding: source[start..<place], as: UTF8.self)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: byte >= 0x80
        }
    }

    mutating func skipBlank(lines: Bool = true) {
        while place < source.count {
            switch source[place] {
            case UInt8(ascii: "\n") where !lines: return
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): place += 1
            default: guard skipComment() else { return }
            }
        }
    }

    /// Passes over a comment that begins here; false if none does. A comment to the end of the line leaves the line's end.
    private mutating func skipComment() -> Bool {
        switch (source[place], byte(after: place)) {
        case (UInt8(ascii: "#"), _), (UInt8(ascii: "/"), UInt8(ascii: "/")): skipLine()
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            let end = source[(place + 2)...].firstRange(of: [UInt8(ascii: "*"), UInt8(ascii: "/")])
            place = end?.upperBound ?? source.count
        default: return false
        }
        return true
    }

    private mutating func skipLine() {
        place = source[place...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    }

    private func byte(after place: Int) -> UInt8? { place + 1 < source.count ? source[place + 1] : nil }

    private func failure(_ message: String, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(message: "not Terraform: \(message)", offset: offset)
    }
}
