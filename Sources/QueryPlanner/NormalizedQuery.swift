// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A valid query with everything that it implies: the complete order and the disjunctive normal form.
///
/// Immutable. A class, so that a copy costs one reference.
package final class NormalizedQuery: Sendable {
    /// The query as written.
    package let query: Query
    /// Empty for a document query.
    package let aggregations: [NormalizedAggregation]
    package let scope: DocumentScope
    /// The complete order, `__name__` last (Q-5; for aggregations Q-58). With `limitToLast` every direction is already
    /// reversed.
    package let orders: [Order]
    /// The disjuncts that can match a document, at most 30. A query without a filter has one disjunct without
    /// filters.
    package let disjuncts: [Disjunct]

    /// The query must be valid.
    init(_ query: Query, _ outline: QueryOutline, _ names: NameSpace, _ disjuncts: [Disjunct]) {
        self.query = query
        aggregations = outline.aggregations
        scope = names.scope
        orders = outline.orders
        self.disjuncts = disjuncts
    }
}

extension NormalizedQuery {
    package var offset: Int { query.offset }
    package var limit: Int? { query.limit }

    /// Whether the rows must be reversed after they are found (limitToLast).
    package var reversesRows: Bool { query.limitToLast }

    var names: NameSpace { NameSpace(scope: scope) }
    var cursors: CursorBounds? { CursorBounds(query, orders: orders, names: names) }
}

/// An aggregation with its final alias.
package struct NormalizedAggregation: Sendable {
    package let alias: Text
    package let kind: Aggregation.Kind

    package init(alias: Text, kind: Aggregation.Kind) {
        self.alias = alias
        self.kind = kind
    }
}
