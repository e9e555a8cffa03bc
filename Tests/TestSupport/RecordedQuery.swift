// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import Foundation
internal import IndexCatalog
internal import QueryPlanner

/// Reads a `StructuredQuery` in Firestore's REST form, as ``RecordedJSON`` reads values.
enum RecordedQuery {
    static func query(_ object: [String: Any], parent: String, limitToLast: Bool) throws -> Query {
        let selectors = object["from"] as? [[String: Any]] ?? []
        guard selectors.count <= 1 else { throw RecordedJSON.Unreadable() }
        let id = selectors.first?["collectionId"] as? String ?? ""
        let limit = try object["limit"].map { try RecordedJSON.integer(($0 as? [String: Any])?["value"] ?? $0) }
        return Query(
            parent: parent.isEmpty ? nil : try RecordedJSON.documentPath(parent),
            from: CollectionSelector(
                collectionID: id.isEmpty ? nil : Text(id),
                allDescendants: selectors.first?["allDescendants"] as? Bool ?? false),
            filter: try object["where"].map(filter), orders: try (object["orderBy"] as? [Any] ?? []).map(order),
            start: try object["startAt"].map(cursor), end: try object["endAt"].map(cursor),
            offset: Int(try RecordedJSON.integer(object["offset"] ?? 0)), limit: limit.map { Int($0) },
            limitToLast: limitToLast, projection: try (object["select"] as? [String: Any]).map(projection),
            nearest: try (object["findNearest"] as? [String: Any]).map(nearest))
    }

    static func aggregation(_ node: Any) throws -> Aggregation {
        let object = node as? [String: Any] ?? [:]
        let alias = (object["alias"] as? String).map { Text($0) }
        if let count = object["count"] as? [String: Any] {
            return Aggregation(alias: alias, .count(upTo: try count["upTo"].map(RecordedJSON.integer)))
        }
        if let sum = object["sum"] as? [String: Any] { return Aggregation(alias: alias, .sum(try field(sum))) }
        if let average = object["avg"] as? [String: Any] {
            return Aggregation(alias: alias, .average(try field(average)))
        }
        throw RecordedJSON.Unreadable()
    }

    private static func filter(_ node: Any) throws -> Filter {
        let object = node as? [String: Any] ?? [:]
        if let composite = object["compositeFilter"] as? [String: Any] {
            let parts = try (composite["filters"] as? [Any] ?? []).map(filter)
            switch composite["op"] as? String {
            case "AND": return .and(parts)
            case "OR": return .or(parts)
            default: throw RecordedJSON.Unreadable()
            }
        }
        if let unary = object["unaryFilter"] as? [String: Any] {
            let name = try RecordedJSON.text(unary["op"])
            return .unary(try field(unary), try RecordedJSON.unwrap(UnaryOperator(rawValue: name)))
        }
        let comparison = try RecordedJSON.unwrap(object["fieldFilter"] as? [String: Any])
        let name = try RecordedJSON.text(comparison["op"])
        return .field(
            try field(comparison), try RecordedJSON.unwrap(FieldOperator(rawValue: name)),
            try RecordedJSON.value(try RecordedJSON.unwrap(comparison["value"])))
    }

    private static func order(_ node: Any) throws -> Order {
        let object = node as? [String: Any] ?? [:]
        switch object["direction"] as? String {
        case nil, "ASCENDING", "DIRECTION_UNSPECIFIED": return Order(try field(object))
        case "DESCENDING": return Order(try field(object), .descending)
        default: throw RecordedJSON.Unreadable()
        }
    }

    private static func cursor(_ node: Any) throws -> Cursor {
        let object = node as? [String: Any] ?? [:]
        return Cursor(
            try (object["values"] as? [Any] ?? []).map(RecordedJSON.value), before: object["before"] as? Bool ?? false)
    }

    private static func projection(_ object: [String: Any]) throws -> [FieldPath] {
        try (object["fields"] as? [[String: Any]] ?? []).map { try path(try RecordedJSON.text($0["fieldPath"])) }
    }

    private static func nearest(_ object: [String: Any]) throws -> FindNearest {
        let measure = FindNearest.Measure(rawValue: try RecordedJSON.text(object["distanceMeasure"]))
        guard case .vector(let vector) = try RecordedJSON.value(object["queryVector"] ?? [:]) else {
            throw RecordedJSON.Unreadable()
        }
        let vectorField = try RecordedJSON.unwrap(object["vectorField"] as? [String: Any])
        let limit = object["limit"].map { ($0 as? [String: Any])?["value"] ?? $0 }
        let threshold = object["distanceThreshold"].map { ($0 as? [String: Any])?["value"] ?? $0 }
        return FindNearest(
            path: try path(try RecordedJSON.text(vectorField["fieldPath"])), vector: vector,
            measure: try RecordedJSON.unwrap(measure), limit: Int(try RecordedJSON.integer(limit ?? 0)),
            distanceField: (object["distanceResultField"] as? String).map { Text($0) },
            threshold: try threshold.map(RecordedJSON.double))
    }

    private static func field(_ object: [String: Any]) throws -> FieldPath {
        try path(try RecordedJSON.text((object["field"] as? [String: Any])?["fieldPath"]))
    }

    /// D-9, D-10: dots separate, backticks quote, and a backslash escapes the next character.
    private static func path(_ text: String) throws -> FieldPath {
        var segments: [String] = [""]
        var quoted = false
        var escaped = false
        for character in text.unicodeScalars {
            if escaped {
                segments[segments.count - 1].unicodeScalars.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "`" {
                quoted.toggle()
            } else if character == ".", !quoted {
                segments.append("")
            } else {
                segments[segments.count - 1].unicodeScalars.append(character)
            }
        }
        guard !quoted, !escaped, !segments.contains("") else { throw RecordedJSON.Unreadable() }
        return FieldPath(segments.map { Text($0) })
    }
}
