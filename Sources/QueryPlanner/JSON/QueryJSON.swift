// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
package import JSONText

/// Queries in Firestore's REST form: `{"parent","structuredQuery"}` or `{"parent","structuredAggregationQuery"}`, with the
/// extensions `"limitToLast":true` and `"usingIndex":"(a ASC, b DESC)"`.
package enum QueryJSON {
    /// Reads a query without validating it; see ``QueryValidator``. Unknown keys next to the query are left to the
    /// caller. Unknown keys inside it are errors.
    package static func read(_ node: JSONNode, database: DatabaseID) throws(InvalidQueryError) -> QueryRequest {
        guard let members = node.members else {
            throw InvalidQueryError("A query is an object, not \(node.kind).", offset: node.offset)
        }
        let values = RequestValues(names: .fullOrRelative(in: database))
        let known = members.filter { extensions.contains($0.key) }
        let line = try RequestObject(
            JSONNode(.object(known), range: node.range), place: "request", keys: extensions)
        let parent = try readParent(line, database: database)
        let limitToLast = try line.boolean("limitToLast")
        let hint = try readHint(line)
        if let aggregation = node["structuredAggregationQuery"], !aggregation.isNull {
            guard node["structuredQuery"]?.isNull != false else {
                throw InvalidQueryError(
                    "A query has a \"structuredQuery\" or a \"structuredAggregationQuery\", not both.",
                    offset: node.offset)
            }
            var query = try readAggregation(aggregation, parent: parent, limitToLast: limitToLast, values)
            query.query.hint = hint
            return .aggregation(query)
        }
        guard let object = node["structuredQuery"], !object.isNull else {
            throw InvalidQueryError(
                "A query has a \"structuredQuery\" or a \"structuredAggregationQuery\".", offset: node.offset)
        }
        var query = try readQuery(
            object, place: "structured_query", parent: parent, limitToLast: limitToLast, values)
        query.hint = hint
        return .documents(query)
    }

    /// Reads the query of a request of the REST API, whose parent is in its URL. Its values name documents in full.
    package static func read(
        _ object: RequestObject, under parent: DocumentPath?, database: DatabaseID
    ) throws(InvalidQueryError) -> QueryRequest {
        try object.requireOne(of: ["structuredQuery", "structuredAggregationQuery"], oneof: "query_type")
        let values = RequestValues(names: .full(in: database))
        if let aggregation = object["structuredAggregationQuery"] {
            return .aggregation(try readAggregation(aggregation, parent: parent, limitToLast: false, values))
        }
        let query = object["structuredQuery"] ?? JSONNode(.object([]))
        return .documents(
            try readQuery(
                query, place: object.placeOf("structuredQuery"), parent: parent, limitToLast: false, values))
    }

    /// The keys next to the query itself.
    private static let extensions = ["parent", "limitToLast", "usingIndex"]

    private static func readHint(_ line: RequestObject) throws(InvalidQueryError) -> IndexHint? {
        guard let text = try line.string("usingIndex") else { return nil }
        do throws(IndexHintError) {
            return try IndexHint(text)
        } catch {
            throw InvalidQueryError(error.message, offset: line["usingIndex"]?.offset)
        }
    }

    static func readQuery(
        _ node: JSONNode, place: String, parent: DocumentPath?, limitToLast: Bool, _ values: RequestValues
    ) throws(InvalidQueryError) -> Query {
        let object = try RequestObject(
            node, place: place,
            keys: [
                "select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit", "findNearest",
            ])
        var query = Query(parent: parent, from: try readSelector(object), limitToLast: limitToLast)
        if let filter = object["where"] {
            query.filter = try readFilter(filter, place: object.placeOf("where"), values)
        }
        query.orders = try readOrders(object)
        query.start = try readCursor(object, "startAt", values)
        query.end = try readCursor(object, "endAt", values)
        query.offset = Int(try object.integer("offset", type: "TYPE_INT32", in: int32) ?? 0)
        query.limit = try object.integer("limit", type: "TYPE_INT32", in: int32).map { Int($0) }
        query.projection = try readProjection(object)
        query.nearest = try readNearest(object, values)
        return query
    }

    static let int32 = Int64(Int32.min)...Int64(Int32.max)

    private static func readSelector(_ object: RequestObject) throws(InvalidQueryError) -> CollectionSelector {
        let elements = try object.elements("from")
        guard elements.count <= 1 else {
            throw InvalidQueryError(
                "StructuredQuery.from cannot have more than one collection selector.", offset: elements[1].offset)
        }
        guard let element = elements.first else { return CollectionSelector(collectionID: nil) }
        let selector = try RequestObject(
            element, place: "\(object.placeOf("from"))[0]", keys: ["collectionId", "allDescendants"])
        let id = try selector.string("collectionId") ?? ""
        return CollectionSelector(
            collectionID: id.isEmpty ? nil : Text(id), allDescendants: try selector.boolean("allDescendants"))
    }

    private static func readOrders(_ object: RequestObject) throws(InvalidQueryError) -> [Order] {
        var orders: [Order] = []
        for (index, element) in try object.elements("orderBy").enumerated() {
            let order = try RequestObject(
                element, place: "\(object.placeOf("orderBy"))[\(index)]", keys: ["field", "direction"])
            if let number = order["direction"]?.number?.int64, !(0...2).contains(number) {
                throw InvalidQueryError("Unrecognized ordering.", offset: element.offset)
            }
            let direction = try order.enumeration(
                "direction", ["ASCENDING", "DESCENDING"], unspecified: "DIRECTION_UNSPECIFIED", type: "Direction")
            orders.append(Order(try order.path("field"), direction == "DESCENDING" ? .descending : .ascending))
        }
        return orders
    }

    private static func readCursor(
        _ object: RequestObject, _ key: String, _ values: RequestValues
    ) throws(InvalidQueryError) -> Cursor? {
        guard let cursor = try object.object(key, keys: ["values", "before"]) else { return nil }
        var read: [Value] = []
        for (index, element) in try cursor.elements("values").enumerated() {
            read.append(try values.read(element, place: "\(cursor.placeOf("values"))[\(index)]"))
        }
        return Cursor(read, before: try cursor.boolean("before"))
    }

    private static func readProjection(_ object: RequestObject) throws(InvalidQueryError) -> [FieldPath]? {
        guard let select = try object.object("select", keys: ["fields"]) else { return nil }
        var paths: [FieldPath] = []
        for (index, element) in try select.elements("fields").enumerated() {
            let field = try RequestObject(
                element, place: "\(select.placeOf("fields"))[\(index)]", keys: ["fieldPath"])
            paths.append(try field.path())
        }
        return paths
    }

    private static func readNearest(
        _ object: RequestObject, _ values: RequestValues
    ) throws(InvalidQueryError) -> FindNearest? {
        guard
            let nearest = try object.object(
                "findNearest",
                keys: [
                    "vectorField", "queryVector", "distanceMeasure", "limit", "distanceResultField",
                    "distanceThreshold",
                ])
        else { return nil }
        let path = try nearest.path("vectorField")
        let operand = try values.read(nearest["queryVector"], place: nearest.placeOf("queryVector"), in: nearest)
        guard case .vector(let vector) = operand else {
            throw InvalidQueryError("Query Value must be of type vector.", offset: nearest["queryVector"]?.offset)
        }
        let name = try nearest.enumeration(
            "distanceMeasure", ["EUCLIDEAN", "COSINE", "DOT_PRODUCT"], unspecified: "DISTANCE_MEASURE_UNSPECIFIED",
            type: "FindNearest.DistanceMeasure")
        guard let measure = name.flatMap({ FindNearest.Measure(rawValue: $0) }) else {
            throw InvalidQueryError("Unknown Distance Measure.", offset: nearest.offset)
        }
        let field = try nearest.string("distanceResultField") ?? ""
        return FindNearest(
            path: path, vector: vector, measure: measure,
            limit: Int(try nearest.integer("limit", type: "TYPE_INT32", in: int32) ?? 0),
            distanceField: field.isEmpty ? nil : Text(field), threshold: try nearest.double("distanceThreshold"))
    }
}
