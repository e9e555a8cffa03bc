// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// A valid query with everything implied written out: complete orders, filters as a disjunctive normal form, cursors in the
/// direction of execution.
///
/// Immutable; a class, because many who hand it on would copy each part of it.
package final class NormalizedQuery: Sendable {
    /// The query as written.
    package let query: Query
    /// Empty for a document query.
    package let aggregations: [NormalizedAggregation]
    package let scope: DocumentScope
    /// The complete order, `__name__` last (Q-5; for aggregations Q-58). With `limitToLast` every direction is already
    /// reversed.
    package let orders: [Order]
    /// Those that a document can match; at most 30. One without filters if the query has no filter.
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

    /// Whether the rows are reversed once they are found (limitToLast).
    package var reversesRows: Bool { query.limitToLast }

    var names: NameSpace { NameSpace(scope: scope) }
    var cursors: CursorBounds? { CursorBounds(query, orders: orders, names: names) }
}

/// An aggregation with its alias decided (production-2026 H).
package struct NormalizedAggregation: Sendable {
    package let alias: Text
    package let kind: Aggregation.Kind

    package init(alias: Text, kind: Aggregation.Kind) {
        self.alias = alias
        self.kind = kind
    }
}
