// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension TerraformParser {
    /// A literal, a name, or a list, a set or an object of these. Nil for any other expression, wherever the place is then.
    mutating func expression() throws(JSONSyntaxError) -> TerraformExpression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= TerraformParser.maximumDepth, let byte else { return nil }
        let start = place
        switch byte {
        case UInt8(ascii: "\""): return try string().map { .literal(JSONNode(.string($0), range: start..<place)) }
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "{"): return try object()
        default:
            let word = word()
            return try named(word, start..<place)
        }
    }

    /// The byte at the place; nil at the end.
    private var byte: UInt8? { place < source.count ? source[place] : nil }

    private mutating func accept(_ mark: Unicode.Scalar) -> Bool {
        guard byte == UInt8(ascii: mark) else { return false }
        place += 1
        return true
    }

    private mutating func list() throws(JSONSyntaxError) -> TerraformExpression? {
        var elements: [TerraformExpression] = []
        place += 1
        while true {
            skipBlank()
            if accept("]") { return .list(elements) }
            guard let element = try expression() else { return nil }
            elements.append(element)
            skipBlank()
            guard accept(",") || byte == UInt8(ascii: "]") else { return nil }
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> TerraformExpression? {
        var members: [(key: String, value: TerraformExpression)] = []
        place += 1
        while true {
            skipBlank()
            if accept("}") { return .object(TerraformObject(members)) }
            let key = try byte == UInt8(ascii: "\"") ? string() : word()
            guard let key, !key.isEmpty else { return nil }
            skipBlank(lines: false)
            guard accept("=") || accept(":") else { return nil }
            skipBlank()
            guard let value = try expression() else { return nil }
            members.append((key, value))
            skipBlank()
            _ = accept(",")
        }
    }

    /// What a word is: a literal, a conversion of a list, or a name.
    private mutating func named(_ word: String, _ range: Range<Int>) throws(JSONSyntaxError) -> TerraformExpression? {
        switch word {
        case "": return nil
        case "true", "false": return .literal(JSONNode(.boolean(word == "true"), range: range))
        case "null": return .literal(JSONNode(.null, range: range))
        case "toset", "tolist", "tomap":
            guard accept("(") else { return nil }
            skipBlank()
            let argument = try expression()
            skipBlank()
            return accept(")") ? argument : nil
        default:
            if let number = JSONNumber(decimal: word) { return .literal(JSONNode(.number(number), range: range)) }
            return .name(word, range)
        }
    }
}
