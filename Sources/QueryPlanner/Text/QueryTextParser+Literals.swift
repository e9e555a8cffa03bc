// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryTextParser {
    mutating func value() throws(QueryTextError) -> Value {
        let token = current
        advance()
        switch token.kind {
        case .string(let text): return .string(Text(text))
        case .number("-Infinity"): return .double(-.infinity)
        case .number(let text): return Int64(text).map { .integer($0) } ?? .double(Double(text) ?? .nan)
        case .identifier(let name): return try named(name, at: token.offset)
        case .mark(UInt8(ascii: "[")):
            return .array(try nested { parser throws(QueryTextError) in try parser.elements() })
        case .mark(UInt8(ascii: "{")):
            return .map(try nested { parser throws(QueryTextError) in try parser.fields(at: token.offset) })
        case .mark, .end: throw QueryTextError("expected a value, found \(token.description)", at: token.offset)
        }
    }

    private mutating func nested<R>(
        _ body: (inout QueryTextParser) throws(QueryTextError) -> R
    ) throws(QueryTextError) -> R {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 100 else { throw QueryTextError("values nest at most 100 deep", at: current.offset) }
        return try body(&self)
    }

    private mutating func elements() throws(QueryTextError) -> [Value] {
        try list(until: "]") { parser throws(QueryTextError) in try parser.value() }
    }

    private mutating func fields(at offset: Int) throws(QueryTextError) -> Fields {
        let fields = try list(until: "}") { parser throws(QueryTextError) in
            let name =
                switch parser.current.kind {
                case .identifier(let name), .string(let name): name
                default:
                    throw QueryTextError(
                        "expected a field name, found \(parser.current.description)", at: parser.current.offset)
                }
            parser.advance()
            try parser.expect(":")
            return Field(Text(name), try parser.value())
        }
        guard let result = Fields(fields) else { throw QueryTextError("a field name occurs twice", at: offset) }
        return result
    }

    private mutating func named(_ name: String, at offset: Int) throws(QueryTextError) -> Value {
        switch name {
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "NaN": return .double(.nan)
        case "Infinity": return .double(.infinity)
        case "Timestamp":
            let text = try argument()
            guard let time = Timestamp(rfc3339: text) else {
                throw QueryTextError("\"\(text)\" is no time such as \"2024-01-01T00:00:00Z\"", at: offset)
            }
            return .timestamp(time)
        case "Reference":
            let text = try argument()
            do throws(DocumentFormError) {
                return .reference(try Reference(parsing: text, database: database))
            } catch {
                throw QueryTextError(error.message, at: offset)
            }
        case "Bytes":
            guard let bytes = Base64.decode(try argument()) else {
                throw QueryTextError("this is no base64", at: offset)
            }
            return .bytes(bytes)
        case "GeoPoint": return .geoPoint(try geoPoint(at: offset))
        case "Vector":
            guard case .array(let elements) = try parenthesized({ parser throws(QueryTextError) in try parser.value() })
            else { throw QueryTextError("Vector takes an array of numbers", at: offset) }
            return .vector(try numbers(elements, at: offset))
        default:
            throw QueryTextError("'\(name)' is no value; put text in quotes", at: offset)
        }
    }

    private mutating func argument() throws(QueryTextError) -> String {
        try parenthesized { parser throws(QueryTextError) in try parser.string("an argument").text }
    }

    private mutating func geoPoint(at offset: Int) throws(QueryTextError) -> GeoPoint {
        try expect("(")
        let degrees = try numbers(
            try list(until: ")") { parser throws(QueryTextError) in try parser.value() }, at: offset)
        guard degrees.count == 2, let point = GeoPoint(latitude: degrees[0], longitude: degrees[1]) else {
            throw QueryTextError("GeoPoint takes a latitude of -90 to 90 and a longitude of -180 to 180", at: offset)
        }
        return point
    }

    func numbers(_ values: [Value], at offset: Int) throws(QueryTextError) -> [Double] {
        var numbers: [Double] = []
        for value in values {
            switch value {
            case .integer(let number): numbers.append(Double(number))
            case .double(let number): numbers.append(number)
            default: throw QueryTextError("expected a number", at: offset)
            }
        }
        return numbers
    }
}
