// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryRequest {
    /// The query without its data. Values are replaced by placeholders of the same type and document IDs by `v0`.
    /// Operators, fields, orders and the lengths of lists stay. Everything that does not affect indexes is removed:
    /// cursors, offset, projection, the number of a limit, and names of results.
    ///
    /// It needs the same indexes as the query and is valid if the query is.
    package var withoutValues: QueryRequest {
        switch self {
        case .documents(let query): .documents(query.withoutValues)
        case .aggregation(let aggregation):
            .aggregation(
                AggregationQuery(
                    aggregation.query.withoutValues, aggregation.aggregations.map(\.withoutValues)))
        }
    }
}

extension Query {
    fileprivate var withoutValues: Query {
        var result = self
        result.parent = parent.map { DocumentPath($0.resource.withoutIDs(0)) }
        result.filter = filter?.withoutValues
        (result.start, result.end, result.offset, result.projection) = (nil, nil, 0, nil)
        result.hint = nil
        result.limit = limitToLast ? 1 : nil
        result.nearest = nearest.map {
            FindNearest(
                path: $0.path, vector: Array(repeating: 1, count: $0.vector.count), measure: $0.measure, limit: 1)
        }
        return result
    }
}

extension Aggregation {
    fileprivate var withoutValues: Aggregation {
        switch kind {
        case .count: Aggregation(alias: nil, .count(upTo: nil))
        case .sum, .average: Aggregation(alias: nil, kind)
        }
    }
}

extension Filter {
    fileprivate var withoutValues: Filter {
        switch self {
        case .field(let path, let op, let value): .field(path, op, StandIn.operand(value, isList: op.takesList))
        case .unary: self
        case .and(let filters): .and(filters.map(\.withoutValues))
        case .or(let filters): .or(filters.map(\.withoutValues))
        }
    }
}

private enum StandIn {
    static func operand(_ value: Value, isList: Bool) -> Value {
        guard isList, case .array(let elements) = value else { return self.value(value, 0) }
        return .array(elements.enumerated().map { self.value($1, $0) })
    }

    /// - Parameter number: the position in a list, so that values stay distinct.
    private static func value(_ value: Value, _ number: Int) -> Value {
        switch value {
        case .null: .null
        case .boolean: .boolean(number % 2 == 1)
        case .integer: .integer(Int64(number))
        case .double(let double): .double(double.isNaN ? double : Double(number) + 0.5)
        case .timestamp: Timestamp(microseconds: Int64(number)).map { .timestamp($0) } ?? .null
        case .string: .string(Text("v\(number)"))
        case .bytes: .bytes([UInt8(truncatingIfNeeded: number)])
        case .reference(let reference):
            .reference(Reference(database: reference.database, path: reference.path.withoutIDs(number)))
        case .geoPoint: GeoPoint(latitude: 0, longitude: Double(number % 180)).map { .geoPoint($0) } ?? .null
        case .array: .array([])
        case .vector(let elements): .vector(Array(repeating: 1, count: elements.count))
        case .map: .map(.empty)
        }
    }
}

extension ResourcePath {
    /// - Parameter number: the number for the last ID.
    fileprivate func withoutIDs(_ number: Int) -> ResourcePath {
        ResourcePath(
            segments: segments.enumerated().map { place, segment in
                place % 2 == 0 ? segment : place == segments.count - 1 ? Text("v\(number)") : "v0"
            })
    }
}
