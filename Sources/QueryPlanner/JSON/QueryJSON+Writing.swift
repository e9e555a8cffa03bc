// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
package import JSONText

extension QueryJSON {
    /// Writes an object that ``read(_:database:)`` reads as the same query.
    package static func write(_ request: QueryRequest, to writer: inout JSONWriter, database: DatabaseID) {
        writer.beginObject()
        writer.key("parent")
        writer.string(request.query.parent.map { "\($0)" } ?? "")
        switch request {
        case .documents(let query):
            writer.key("structuredQuery")
            write(query, to: &writer, database)
        case .aggregation(let aggregation):
            writer.key("structuredAggregationQuery")
            writer.beginObject()
            writer.key("structuredQuery")
            write(aggregation.query, to: &writer, database)
            writer.key("aggregations")
            writer.beginArray()
            for aggregation in aggregation.aggregations { write(aggregation, to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        if request.query.limitToLast {
            writer.key("limitToLast")
            writer.boolean(true)
        }
        if let hint = request.query.hint {
            writer.key("usingIndex")
            writer.string(hint.text)
        }
        writer.endObject()
    }

    private static func write(_ query: Query, to writer: inout JSONWriter, _ database: DatabaseID) {
        writer.beginObject()
        if let projection = query.projection { writeProjection(projection, to: &writer) }
        writeSelector(query.from, to: &writer)
        if let filter = query.filter {
            writer.key("where")
            write(filter, to: &writer, database)
        }
        if !query.orders.isEmpty { writeOrders(query.orders, to: &writer) }
        if let start = query.start { write(start, "startAt", to: &writer, database) }
        if let end = query.end { write(end, "endAt", to: &writer, database) }
        if query.offset != 0 {
            writer.key("offset")
            writer.integer(Int64(query.offset))
        }
        if let limit = query.limit {
            writer.key("limit")
            writer.integer(Int64(limit))
        }
        if let nearest = query.nearest { write(nearest, to: &writer, database) }
        writer.endObject()
    }

    private static func writeProjection(_ projection: [FieldPath], to writer: inout JSONWriter) {
        writer.key("select")
        writer.beginObject()
        writer.key("fields")
        writer.beginArray()
        for path in projection { writeReference(path, to: &writer) }
        writer.endArray()
        writer.endObject()
    }

    private static func writeReference(_ path: FieldPath, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("fieldPath")
        writer.string(path.wire)
        writer.endObject()
    }

    private static func writeField(_ path: FieldPath, to writer: inout JSONWriter) {
        writer.key("field")
        writeReference(path, to: &writer)
    }

    private static func writeSelector(_ selector: CollectionSelector, to writer: inout JSONWriter) {
        writer.key("from")
        writer.beginArray()
        writer.beginObject()
        if let id = selector.collectionID {
            writer.key("collectionId")
            writer.string(id.string)
        }
        if selector.allDescendants {
            writer.key("allDescendants")
            writer.boolean(true)
        }
        writer.endObject()
        writer.endArray()
    }

    private static func write(_ filter: Filter, to writer: inout JSONWriter, _ database: DatabaseID) {
        writer.beginObject()
        switch filter {
        case .field(let path, let op, let operand):
            writer.key("fieldFilter")
            writer.beginObject()
            writeField(path, to: &writer)
            writer.key("op")
            writer.string(op.rawValue)
            writer.key("value")
            ValueJSON.write(operand, to: &writer, database: database)
            writer.endObject()
        case .unary(let path, let op):
            writer.key("unaryFilter")
            writer.beginObject()
            writeField(path, to: &writer)
            writer.key("op")
            writer.string(op.rawValue)
            writer.endObject()
        case .and(let filters): writeComposite("AND", filters, to: &writer, database)
        case .or(let filters): writeComposite("OR", filters, to: &writer, database)
        }
        writer.endObject()
    }

    private static func writeComposite(
        _ op: String, _ filters: [Filter], to writer: inout JSONWriter, _ database: DatabaseID
    ) {
        writer.key("compositeFilter")
        writer.beginObject()
        writer.key("op")
        writer.string(op)
        writer.key("filters")
        writer.beginArray()
        for filter in filters { write(filter, to: &writer, database) }
        writer.endArray()
        writer.endObject()
    }

    private static func writeOrders(_ orders: [Order], to writer: inout JSONWriter) {
        writer.key("orderBy")
        writer.beginArray()
        for order in orders {
            writer.beginObject()
            writeField(order.path, to: &writer)
            writer.key("direction")
            writer.string(order.direction.wireName)
            writer.endObject()
        }
        writer.endArray()
    }

    private static func write(_ cursor: Cursor, _ key: String, to writer: inout JSONWriter, _ database: DatabaseID) {
        writer.key(key)
        writer.beginObject()
        writer.key("values")
        writer.beginArray()
        for value in cursor.values { ValueJSON.write(value, to: &writer, database: database) }
        writer.endArray()
        writer.key("before")
        writer.boolean(cursor.before)
        writer.endObject()
    }

    private static func write(_ nearest: FindNearest, to writer: inout JSONWriter, _ database: DatabaseID) {
        writer.key("findNearest")
        writer.beginObject()
        writer.key("vectorField")
        writeReference(nearest.path, to: &writer)
        writer.key("queryVector")
        ValueJSON.write(.vector(nearest.vector), to: &writer, database: database)
        writer.key("distanceMeasure")
        writer.string(nearest.measure.rawValue)
        writer.key("limit")
        writer.integer(Int64(nearest.limit))
        if let field = nearest.distanceField {
            writer.key("distanceResultField")
            writer.string(field.string)
        }
        if let threshold = nearest.threshold {
            writer.key("distanceThreshold")
            writer.double(threshold)
        }
        writer.endObject()
    }

    private static func write(_ aggregation: Aggregation, to writer: inout JSONWriter) {
        writer.beginObject()
        if let alias = aggregation.alias {
            writer.key("alias")
            writer.string(alias.string)
        }
        switch aggregation.kind {
        case .count(let upTo):
            writer.key("count")
            writer.beginObject()
            if let upTo {
                writer.key("upTo")
                writer.string(String(upTo))
            }
            writer.endObject()
        case .sum(let path), .average(let path):
            if case .sum = aggregation.kind { writer.key("sum") } else { writer.key("avg") }
            writer.beginObject()
            writeField(path, to: &writer)
            writer.endObject()
        }
        writer.endObject()
    }
}
