// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// What one disjunct of a query requires from the indexes of a collection group. Equal shapes need equal indexes.
package struct QueryShape: Hashable, Sendable {
    let collectionGroup: Text
    let scope: QueryScope
    let requirement: IndexRequirement

    var matcher: CandidateMatcher {
        CandidateMatcher(requirement: requirement, collectionGroup: collectionGroup, scope: scope)
    }

    /// The index that production suggests.
    var suggestion: IndexDefinition {
        IndexSuggestion.definition(for: requirement, collectionGroup: collectionGroup, scope)
    }

    /// Whether the suggestion is a single-field index, which no composite can replace (I-51).
    var isSingleFieldMatter: Bool { IndexSuggestion.singleFieldIndex(suggestion) != nil }

    /// The composite that production would suggest if there were no index; nil if automatic indexes serve the shape.
    package var suggestedComposite: IndexDefinition? {
        IndexAdvisor().serves(self, IndexCatalog(IndexConfiguration())) ? nil : suggestion
    }
}

extension QueryShape {
    /// What a composite serves alone: == on its first fields, and the order of the others.
    init(_ index: IndexDefinition, binding count: Int) {
        self.init(
            collectionGroup: index.collectionGroup, scope: index.scope,
            requirement: IndexRequirement(index, binding: count).sorted)
    }
}

extension Planner {
    /// The distinct shapes of a query's disjuncts. A kindless query has none, because it needs no index (I-6).
    package static func shapes(
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
