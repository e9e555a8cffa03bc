// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A recursive descent parser for a source followed by calls.
struct QueryTextParser {
    let tokens: [QueryTextToken]
    let database: DatabaseID
    var position = 0
    var depth = 0
    var source = CollectionSource()
    var filters: [Filter] = []
    var query = Query(from: CollectionSelector(collectionID: nil))
    /// Nil for a document query.
    var aggregations: [Aggregation]?

    init(_ tokens: [QueryTextToken], database: DatabaseID) {
        self.tokens = tokens
        self.database = database
    }

    /// The path that the chain of `collection` and `doc` names.
    struct CollectionSource {
        var path = ResourcePath.root
        var isGroup = false
    }

    mutating func parse() throws(QueryTextError) -> QueryRequest {
        try parseSource()
        query.from = CollectionSelector(
            collectionID: source.path.segments[source.path.count - 1], allDescendants: source.isGroup)
        if source.path.count > 1 { query.parent = CollectionPath(source.path).parent }
        while accept(".") { try parseCall() }
        _ = accept(";")
        guard current.kind == .end else {
            throw QueryTextError("expected a '.' and a call, found \(current.description)", at: current.offset)
        }
        if !filters.isEmpty { query.filter = filters.count == 1 ? filters[0] : .and(filters) }
        try resolveNameCursors()
        guard let aggregations else { return .documents(query) }
        return .aggregation(AggregationQuery(query, aggregations))
    }

    // MARK: - Source

    private mutating func parseSource() throws(QueryTextError) {
        let first = try identifier("a collection")
        if first.name == "db" || first.name == "firestore", accept(".") {
            try parseSourceCall(try identifier("collection, collectionGroup or doc"))
        } else if isNext("(") {
            try parseSourceCall(first)
        } else {
            guard !VariableName.isLikely(first.name) else {
                throw QueryTextError(
                    "'\(first.name)' is a variable, whose collection is not known; write the collection: "
                        + "collection(\"NAME\").where(…)", at: first.offset)
            }
            source.path = ResourcePath(segments: [Text(first.name)])
        }
        while !source.isGroup, source.path.count % 2 == 0 || isNextCall("doc") {
            guard accept(".") else {
                throw QueryTextError("a document is no query; a .collection(…) must follow", at: current.offset)
            }
            try parseSourceCall(try identifier("collection or doc"))
        }
    }

    private mutating func parseSourceCall(_ call: (name: String, offset: Int)) throws(QueryTextError) {
        let argument = try parenthesized { parser throws(QueryTextError) in try parser.string("a path") }
        switch call.name {
        case "collection": try extend(argument, by: 1)
        case "doc", "document": try extend(argument, by: 0)
        case "collectionGroup":
            guard source.path.isEmpty, !argument.text.utf8.contains(UInt8(ascii: "/")), !argument.text.isEmpty else {
                throw QueryTextError(
                    "collectionGroup takes a collection ID, which has no slash", at: argument.offset)
            }
            source = CollectionSource(path: ResourcePath(segments: [Text(argument.text)]), isGroup: true)
        default:
            throw QueryTextError(
                "there is no source '\(call.name)'; a query begins with collection(…), collectionGroup(…) or an ID",
                at: call.offset)
        }
    }

    private mutating func extend(_ argument: (text: String, offset: Int), by parity: Int) throws(QueryTextError) {
        do throws(DocumentFormError) {
            let path = try ResourcePath(parsing: argument.text)
            source.path = ResourcePath(segments: source.path.segments + path.segments)
            try source.path.validate(writing: false, database: database)
        } catch {
            throw QueryTextError(error.message, at: argument.offset)
        }
        guard source.path.count % 2 == parity, !source.path.isEmpty else {
            let kind = parity == 1 ? "a collection has an odd" : "a document has an even"
            throw QueryTextError("\(kind) number of segments, not \(source.path.count)", at: argument.offset)
        }
    }

    // MARK: - Tokens

    var current: QueryTextToken { tokens[position] }

    mutating func advance() { if position + 1 < tokens.count { position += 1 } }

    func isNext(_ mark: Unicode.Scalar) -> Bool { current.kind == .mark(UInt8(ascii: mark)) }

    private func isNextCall(_ name: String) -> Bool {
        isNext(".") && position + 1 < tokens.count && tokens[position + 1].kind == .identifier(name)
    }

    mutating func accept(_ mark: Unicode.Scalar) -> Bool {
        guard isNext(mark) else { return false }
        advance()
        return true
    }

    mutating func expect(_ mark: Unicode.Scalar) throws(QueryTextError) {
        guard accept(mark) else {
            throw QueryTextError("expected '\(mark)', found \(current.description)", at: current.offset)
        }
    }

    mutating func identifier(_ what: String) throws(QueryTextError) -> (name: String, offset: Int) {
        let token = current
        guard case .identifier(let name) = token.kind else {
            throw QueryTextError("expected \(what), found \(token.description)", at: token.offset)
        }
        advance()
        return (name, token.offset)
    }

    mutating func string(_ what: String) throws(QueryTextError) -> (text: String, offset: Int) {
        let token = current
        guard case .string(let text) = token.kind else {
            throw QueryTextError("expected \(what) in quotes, found \(token.description)", at: token.offset)
        }
        advance()
        return (text, token.offset)
    }

    mutating func parenthesized<R>(
        _ body: (inout QueryTextParser) throws(QueryTextError) -> R
    ) throws(QueryTextError) -> R {
        try expect("(")
        let result = try body(&self)
        try expect(")")
        return result
    }

    /// A comma-separated list up to and including `close`. A trailing comma is allowed.
    mutating func list<R>(
        until close: Unicode.Scalar, _ element: (inout QueryTextParser) throws(QueryTextError) -> R
    ) throws(QueryTextError) -> [R] {
        var result: [R] = []
        while !accept(close) {
            if !result.isEmpty {
                try expect(",")
                if accept(close) { return result }
            }
            result.append(try element(&self))
        }
        return result
    }
}
