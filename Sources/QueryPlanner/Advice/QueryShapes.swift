// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// What one disjunct of a query asks of the indexes of one collection group. Queries with equal shapes need equal indexes.
struct QueryShape: Hashable {
    let collectionGroup: Text
    let scope: QueryScope
    let requirement: IndexRequirement

    var matcher: CandidateMatcher {
        CandidateMatcher(requirement: requirement, collectionGroup: collectionGroup, scope: scope)
    }

    /// The index that production would ask for.
    var suggestion: IndexDefinition {
        IndexSuggestion.definition(for: requirement, collectionGroup: collectionGroup, scope)
    }

    /// Whether that is a single-field index, so that no composite could stand in (I-51).
    var isSingleFieldMatter: Bool { IndexSuggestion.singleFieldIndex(suggestion) != nil }
}

extension Planner {
    /// The shapes of a query's disjuncts, each once; none where the query reads documents without an index of any collection
    /// group (I-6).
    static func shapes(
        of request: QueryRequest, database: DatabaseID
    ) throws(InvalidQueryError) -> [QueryShape] {
        let query = request.query
        _ = try QueryValidator.validate(query, request.aggregations, database: database)
        let outline = try Normalizer.outline(of: query, request.aggregations)
        guard let collectionGroup = query.from.collectionID else { return [] }
        var shapes: [QueryShape] = []
        for disjunct in outline.branches {
            let shape = QueryShape(
                collectionGroup: collectionGroup, scope: query.from.allDescendants ? .collectionGroup : .collection,
                requirement: IndexRequirement(disjunct, orders: outline.orders, nearest: query.nearest).sorted)
            if !shapes.contains(shape) { shapes.append(shape) }
        }
        return shapes
    }
}
