// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// What one disjunct of a query asks of the indexes of one collection group. Queries with equal shapes need equal indexes.
struct QueryShape: Hashable {
    let collectionGroup: Text
    let scope: QueryScope
    let demand: Demand

    var matcher: CandidateMatcher { CandidateMatcher(demand: demand, collectionGroup: collectionGroup, scope: scope) }

    /// The index that production would ask for.
    var suggestion: IndexDefinition {
        IndexSuggestion.definition(for: demand, collectionGroup: collectionGroup, scope)
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
        let form = try normalForm(of: request, database: database)
        let from = form.query.query.from
        guard let collectionGroup = from.collectionID else { return [] }
        var shapes: [QueryShape] = []
        for disjunct in form.disjuncts {
            let shape = QueryShape(
                collectionGroup: collectionGroup, scope: from.allDescendants ? .collectionGroup : .collection,
                demand: Demand(disjunct, query: form.query).sorted)
            if !shapes.contains(shape) { shapes.append(shape) }
        }
        return shapes
    }

    private static func normalForm(
        of request: QueryRequest, database: DatabaseID
    ) throws(InvalidQueryError) -> NormalForm {
        switch request {
        case .documents(let query):
            try QueryValidator.validate(query, database: database)
            return Normalizer.normalForm(of: query, aggregations: [])
        case .aggregation(let query): return try Normalizer.normalForm(of: query, database: database)
        }
    }
}
