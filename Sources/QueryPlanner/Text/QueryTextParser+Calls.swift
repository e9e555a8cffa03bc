// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

extension QueryTextParser {
    mutating func parseCall() throws(QueryTextError) {
        let call = try identifier("a call such as where(…)")
        guard aggregations == nil || call.name == "get" else {
            throw QueryTextError("nothing follows an aggregation", at: call.offset)
        }
        switch call.name {
        case "where": filters.append(try parenthesized { parser throws(QueryTextError) in try parser.condition() })
        case "orderBy", "order":
            query.orders.append(try parenthesized { parser throws(QueryTextError) in try parser.order() })
        case "limit", "limitToLast":
            query.limit = try count("limit")
            query.limitToLast = call.name == "limitToLast"
        case "offset": query.offset = try count("offset")
        case "startAt", "startAfter": query.start = Cursor(try values(), before: call.name == "startAt")
        case "endAt", "endBefore": query.end = Cursor(try values(), before: call.name == "endBefore")
        case "select":
            try expect("(")
            query.projection = try list(until: ")") { parser throws(QueryTextError) in try parser.path() }
        case "findNearest": query.nearest = try nearest()
        case "usingIndex": query.hint = try parenthesized { parser throws(QueryTextError) in try parser.hint() }
        case "count":
            try expect("(")
            try expect(")")
            aggregations = [Aggregation(alias: nil, .count(upTo: nil))]
        case "aggregate":
            try expect("(")
            aggregations = try list(until: ")") { parser throws(QueryTextError) in try parser.aggregation() }
        case "get":
            try expect("(")
            try expect(")")
        default:
            throw QueryTextError(
                "there is no call '\(call.name)'"
                    + Spelling.advice(call.name, among: QueryTextParser.calls), at: call.offset)
        }
    }

    /// `"field", "op", value`, or a composite filter.
    private mutating func condition() throws(QueryTextError) -> Filter {
        if case .identifier(let name) = current.kind, name != "documentId", name != "documentID" {
            return try compositeFilter()
        }
        return try comparison()
    }

    private mutating func compositeFilter() throws(QueryTextError) -> Filter {
        let call = try identifier("where, and or or")
        depth += 1
        defer { depth -= 1 }
        guard depth <= 100 else { throw QueryTextError("filters nest at most 100 deep", at: call.offset) }
        switch call.name {
        case "where": return try parenthesized { parser throws(QueryTextError) in try parser.condition() }
        case "and", "or":
            try expect("(")
            let filters = try list(until: ")") { parser throws(QueryTextError) in try parser.compositeFilter() }
            return call.name == "and" ? .and(filters) : .or(filters)
        default:
            throw QueryTextError("expected where(…), and(…) or or(…), found '\(call.name)'", at: call.offset)
        }
    }

    private mutating func comparison() throws(QueryTextError) -> Filter {
        let path = try path()
        try expect(",")
        let name = try string("an operator")
        try expect(",")
        let operandOffset = current.offset
        let operand = try value()
        guard let op = QueryTextParser.operators[name.text] else {
            throw QueryTextError(
                "there is no operator '\(name.text)'"
                    + Spelling.advice(name.text, among: QueryTextParser.operatorNames), at: name.offset)
        }
        if path.isDocumentName { return .field(path, op, try documentNames(operand, at: operandOffset)) }
        switch op {
        case .equal where operand.isNull: return .unary(path, .isNull)
        case .equal where operand.isNaN: return .unary(path, .isNaN)
        case .notEqual where operand.isNull: return .unary(path, .isNotNull)
        case .notEqual where operand.isNaN: return .unary(path, .isNotNaN)
        default: return .field(path, op, operand)
        }
    }

    private static let calls = [
        "where", "orderBy", "limit", "limitToLast", "offset", "startAt", "startAfter", "endAt", "endBefore", "select",
        "findNearest", "usingIndex", "count", "aggregate",
    ]

    private static let operatorNames = [
        "==", "!=", "<", "<=", ">", ">=", "in", "not-in", "array-contains", "array-contains-any",
    ]

    static let operators: [String: FieldOperator] = [
        "==": .equal, "!=": .notEqual, "<": .lessThan, "<=": .lessThanOrEqual, ">": .greaterThan,
        ">=": .greaterThanOrEqual, "in": .in, "not-in": .notIn, "array-contains": .arrayContains,
        "array-contains-any": .arrayContainsAny,
    ]

    private mutating func hint() throws(QueryTextError) -> IndexHint {
        let index = try string("an index such as (a ASC, b DESC)")
        do throws(IndexHintError) {
            return try IndexHint(index.text)
        } catch {
            throw QueryTextError(error.message, at: index.offset)
        }
    }

    private mutating func order() throws(QueryTextError) -> Order {
        let path = try path()
        guard accept(",") else { return Order(path) }
        let direction = try string("\"asc\" or \"desc\"")
        switch direction.text {
        case "asc", "ASC", "ascending", "ASCENDING": return Order(path)
        case "desc", "DESC", "descending", "DESCENDING": return Order(path, .descending)
        default:
            throw QueryTextError("a direction is \"asc\" or \"desc\", not \"\(direction.text)\"", at: direction.offset)
        }
    }

    private mutating func aggregation() throws(QueryTextError) -> Aggregation {
        let call = try identifier("count(), sum(…) or average(…)")
        switch call.name {
        case "count":
            try expect("(")
            try expect(")")
            return Aggregation(alias: nil, .count(upTo: nil))
        case "sum":
            return Aggregation(
                alias: nil, .sum(try parenthesized { parser throws(QueryTextError) in try parser.path() }))
        case "average", "avg":
            return Aggregation(
                alias: nil, .average(try parenthesized { parser throws(QueryTextError) in try parser.path() }))
        default:
            throw QueryTextError(
                "there is no aggregation '\(call.name)'; there are count, sum and average", at: call.offset)
        }
    }

    private mutating func count(_ name: String) throws(QueryTextError) -> Int {
        try parenthesized { parser throws(QueryTextError) in try parser.wholeNumber("structured_query.\(name)") }
    }

    /// - Parameter name: the message's member that takes it. What has no room there is no query, in JSON neither.
    mutating func wholeNumber(_ name: String) throws(QueryTextError) -> Int {
        guard case .number(let text) = current.kind, let number = Int(text) else {
            throw QueryTextError("expected a whole number, found \(current.description)", at: current.offset)
        }
        guard Int32(exactly: number) != nil else {
            throw QueryTextError("Invalid value at '\(name).value' (TYPE_INT32), \(number)", at: current.offset)
        }
        advance()
        return number
    }

    private mutating func values() throws(QueryTextError) -> [Value] {
        try expect("(")
        return try list(until: ")") { parser throws(QueryTextError) in try parser.value() }
    }

    /// A dotted path (D-11), a path in wire syntax if it has a backtick, or `documentId()`.
    mutating func path() throws(QueryTextError) -> FieldPath {
        if case .identifier(let name) = current.kind, name == "documentId" || name == "documentID" {
            advance()
            try expect("(")
            try expect(")")
            return .documentName
        }
        let argument = try string("a field")
        do throws(FieldPathError) {
            let isQuoted = argument.text.utf8.contains(UInt8(ascii: "`"))
            return isQuoted ? try FieldPath(wireSyntax: argument.text) : try FieldPath(dotted: argument.text)
        } catch {
            throw QueryTextError(error.message, at: argument.offset)
        }
    }

    // MARK: - Document names

    /// Strings become references (Q-22, Q-41).
    private func documentNames(_ operand: Value, at offset: Int) throws(QueryTextError) -> Value {
        switch operand {
        case .string(let text): return .reference(try documentName(text.string, at: offset))
        case .array(let elements):
            var names: [Value] = []
            for element in elements { names.append(try documentNames(element, at: offset)) }
            return .array(names)
        default: return operand
        }
    }

    private func documentName(_ text: String, at offset: Int) throws(QueryTextError) -> Reference {
        do throws(DocumentFormError) {
            var path = try ResourcePath(parsing: text)
            if path.count == 1, !source.isGroup { path = ResourcePath(segments: source.path.segments + path.segments) }
            guard path.count % 2 == 0, !path.isEmpty else {
                throw DocumentFormError(
                    "a document name is \(source.isGroup ? "a path with an even number of segments" : "a document ID"), "
                        + "not \"\(text)\"")
            }
            return Reference(database: database, path: path)
        } catch {
            throw QueryTextError(error.message, at: offset)
        }
    }

    mutating func resolveNameCursors() throws(QueryTextError) {
        guard let place = query.orders.firstIndex(where: \.path.isDocumentName) else { return }
        query.start = try resolved(query.start, at: place)
        query.end = try resolved(query.end, at: place)
    }

    private func resolved(_ cursor: Cursor?, at place: Int) throws(QueryTextError) -> Cursor? {
        guard let cursor, place < cursor.values.count else { return cursor }
        var values = cursor.values
        values[place] = try documentNames(values[place], at: 0)
        return Cursor(values, before: cursor.before)
    }
}
