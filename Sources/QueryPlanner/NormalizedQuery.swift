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
    /// Each a conjunction; at most 30. One empty conjunction where there is no filter; none where no document can match.
    package let disjuncts: [Conjunction]
    /// In the direction of execution: with `limitToLast` start and end are exchanged and flipped.
    package let start: Cursor?
    package let end: Cursor?
    package let offset: Int
    package let limit: Int?
    /// Whether the rows are to be reversed once they are found (limitToLast).
    package let reversesRows: Bool

    package init(
        query: Query, aggregations: [NormalizedAggregation], scope: DocumentScope, orders: [Order],
        disjuncts: [Conjunction], start: Cursor?, end: Cursor?, offset: Int, limit: Int?, reversesRows: Bool
    ) {
        self.query = query
        self.aggregations = aggregations
        self.scope = scope
        self.orders = orders
        self.disjuncts = disjuncts
        self.start = start
        self.end = end
        self.offset = offset
        self.limit = limit
        self.reversesRows = reversesRows
    }
}

/// An aggregation with its alias decided.
package struct NormalizedAggregation: Sendable {
    package let alias: Text
    package let kind: Aggregation.Kind

    package init(alias: Text, kind: Aggregation.Kind) {
        self.alias = alias
        self.kind = kind
    }
}

/// One disjunct: filters that must all hold, as written, `in` and `array-contains-any` replaced by one of their values.
package struct Conjunction: Sendable {
    package let filters: [Filter]

    package init(_ filters: [Filter]) {
        self.filters = filters
    }
}
