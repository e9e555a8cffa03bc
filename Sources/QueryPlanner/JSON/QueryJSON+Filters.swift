// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import JSONText

extension QueryJSON {
    /// The messages follow production-2026 G. The depth limit of JSON bounds the recursion.
    static func readFilter(
        _ node: JSONNode, place: String, _ values: RequestValues
    ) throws(InvalidQueryError) -> Filter {
        let kinds = ["fieldFilter", "unaryFilter", "compositeFilter"]
        let object = try RequestObject(node, place: place, keys: kinds)
        try object.requireOne(of: kinds, oneof: "filter_type")
        if let filter = try object.object("fieldFilter", keys: ["field", "op", "value"]) {
            return try readFieldFilter(filter, values)
        }
        if let filter = try object.object("unaryFilter", keys: ["field", "op"]) { return try readUnaryFilter(filter) }
        guard let composite = try object.object("compositeFilter", keys: ["op", "filters"]) else {
            throw InvalidQueryError("Unknown Filter type.", offset: node.offset)
        }
        let op = try composite.enumeration(
            "op", ["AND", "OR"], unspecified: "OPERATOR_UNSPECIFIED", type: "CompositeFilter.Operator")
        guard let op else { throw InvalidQueryError("Unsupported CompositeFilter operator.", offset: composite.offset) }
        var filters: [Filter] = []
        for (index, element) in try composite.elements("filters").enumerated() {
            filters.append(try readFilter(element, place: "\(composite.placeOf("filters"))[\(index)]", values))
        }
        return op == "AND" ? .and(filters) : .or(filters)
    }

    private static func readFieldFilter(
        _ object: RequestObject, _ values: RequestValues
    ) throws(InvalidQueryError) -> Filter {
        let name = try object.enumeration(
            "op", fieldOperators, unspecified: "OPERATOR_UNSPECIFIED", type: "FieldFilter.Operator")
        guard let op = name.flatMap({ FieldOperator(rawValue: $0) }) else {
            throw InvalidQueryError("Unknown FieldFilter operator.", offset: object.offset)
        }
        let path = try object.path("field")
        return .field(path, op, try values.read(object["value"], place: object.placeOf("value"), in: object))
    }

    private static func readUnaryFilter(_ object: RequestObject) throws(InvalidQueryError) -> Filter {
        guard object["field"] != nil else {
            throw InvalidQueryError("Unsupported UnaryFilter operand type (non-FIELD).", offset: object.offset)
        }
        // Number 1 is no operator (Q-3).
        let name = try object.enumeration(
            "op", ["", "IS_NAN", "IS_NULL", "IS_NOT_NAN", "IS_NOT_NULL"], unspecified: "OPERATOR_UNSPECIFIED",
            type: "UnaryFilter.Operator")
        guard let op = name.flatMap({ UnaryOperator(rawValue: $0) }) else {
            throw InvalidQueryError("Unknown UnaryFilter operator.", offset: object.offset)
        }
        return .unary(try object.path("field"), op)
    }

    /// In the order of their numbers in the protocol (Q-3).
    private static let fieldOperators = FieldOperator.allCases.map(\.rawValue)

    static func readAggregation(
        _ node: JSONNode, parent: DocumentPath?, limitToLast: Bool, _ values: RequestValues
    ) throws(InvalidQueryError) -> AggregationQuery {
        let object = try RequestObject(
            node, place: "structured_aggregation_query", keys: ["structuredQuery", "aggregations"])
        let inner = object["structuredQuery"] ?? JSONNode(.object([]), range: node.range)
        let query = try readQuery(
            inner, place: object.placeOf("structuredQuery"), parent: parent, limitToLast: limitToLast, values)
        var aggregations: [Aggregation] = []
        for (index, element) in try object.elements("aggregations").enumerated() {
            let aggregation = try RequestObject(
                element, place: "\(object.placeOf("aggregations"))[\(index)]", keys: ["alias", "count", "sum", "avg"])
            let alias = try aggregation.string("alias") ?? ""
            aggregations.append(Aggregation(alias: alias.isEmpty ? nil : Text(alias), try readKind(aggregation)))
        }
        return AggregationQuery(query, aggregations)
    }

    private static func readKind(_ object: RequestObject) throws(InvalidQueryError) -> Aggregation.Kind {
        try object.requireOne(of: ["count", "sum", "avg"], oneof: "operator")
        if let count = try object.object("count", keys: ["upTo"]) {
            return .count(upTo: try count.integer("upTo", type: "TYPE_INT64", in: .min ... .max))
        }
        if let sum = try object.object("sum", keys: ["field"]) { return .sum(try sum.path("field")) }
        if let average = try object.object("avg", keys: ["field"]) { return .average(try average.path("field")) }
        throw InvalidQueryError("Operator field in Aggregation is not set.", offset: object.offset)
    }

    /// A relative document path, or the full name of a document or of the database's root.
    static func readParent(_ object: RequestObject, database: DatabaseID) throws(InvalidQueryError) -> DocumentPath? {
        guard let text = try object.string("parent"), !text.isEmpty else { return nil }
        let offset = object["parent"]?.offset
        let root = "\(database.resourceName)/documents"
        if text == root { return nil }
        do throws(DocumentFormError) {
            let whole = try ResourcePath(parsing: text)
            guard !whole.readsAsFullName || text.hasPrefix(root + "/") else {
                throw DocumentFormError("The parent \(text) does not lie in \(root).")
            }
            let path = whole.fullNameParts?.path ?? whole
            guard path.count % 2 == 0 else {
                let name = "\(root)/\(path)"
                throw DocumentFormError("Document parent name \"\(name)\" lacks \"/\" at index \(name.utf8.count).")
            }
            try path.validate(writing: false, database: database)
            return DocumentPath(path)
        } catch {
            throw InvalidQueryError(error.message, offset: offset)
        }
    }
}
