// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension QueryValidator {
    ///
    static func checkAggregations(
        _ aggregations: [Aggregation], of query: Query
    ) throws(InvalidQueryError) {
        guard !aggregations.isEmpty else { throw InvalidQueryError("Aggregations can not be empty.") }
        guard aggregations.count <= 5 else {
            throw InvalidQueryError(
                "The maximum number of aggregations allowed in an aggregation query is 5. Received: "
                    + "\(aggregations.count)")
        }
        for aggregation in aggregations {
            if let alias = aggregation.alias { try checkAlias(alias, of: "property.name") }
            try checkKind(aggregation.kind)
        }
        guard query.from.collectionID != nil || aggregations.allSatisfy({ $0.kind.path == nil }) else {
            throw InvalidQueryError("kind is required for all orders except __key__ ascending")
        }
        guard aggregations.count > 1 else { return }
        var seen: Set<Text> = []
        for aggregation in Normalizer.named(aggregations) where !seen.insert(aggregation.alias).inserted {
            throw InvalidQueryError("Aggregation aliases contain duplicate alias: \(aggregation.alias).")
        }
    }

    private static func checkKind(_ kind: Aggregation.Kind) throws(InvalidQueryError) {
        switch kind {
        case .count(let upTo):
            guard (upTo ?? 0) >= 0 else {
                throw InvalidQueryError(
                    "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.")
            }
        case .sum(let path), .average(let path):
            guard !path.isDocumentName else {
                throw InvalidQueryError("Aggregations are not supported for the property: __key__")
            }
            try checkPath(path)
            try checkLength(path)
        }
    }

    private static func checkAlias(_ alias: Text, of name: String) throws(InvalidQueryError) {
        guard !alias.isReserved else { throw InvalidQueryError("The \(name) \"\(alias)\" is reserved.") }
        guard alias.utf8Count <= DocumentLimits.maximumNameSize else {
            throw InvalidQueryError("The \(name) is longer than 1500 bytes.")
        }
    }

    ///
    static func checkNearest(_ nearest: FindNearest, query: Query) throws(InvalidQueryError) {
        guard (1...1_000).contains(nearest.limit) else {
            throw InvalidQueryError("FindNearest.limit must be a positive integer of no more than 1000")
        }
        guard !nearest.vector.isEmpty else { throw InvalidQueryError("Cannot have a zero length vector.") }
        guard nearest.vector.count <= 2_048 else {
            throw InvalidQueryError("A vector has at most 2048 dimensions, not \(nearest.vector.count).")
        }
        guard nearest.threshold?.isFinite ?? true else {
            throw InvalidQueryError("distanceThreshold must be a finite number.")
        }
        guard query.limit == nil else { throw InvalidQueryError("A query limit cannot be used with FindNearest") }
        guard query.offset == 0 else { throw InvalidQueryError("A query offset cannot be used with FindNearest") }
        guard query.start == nil, query.end == nil else {
            throw InvalidQueryError("A cursor cannot be used with FindNearest")
        }
        if let field = nearest.distanceField { try checkAlias(field, of: "distanceResultField.property.name") }
    }
}
