// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// A document query as written: without implied orders, not validated.
package struct Query: Sendable {
    /// The document whose subcollections are read. Nil means the database's root.
    package var parent: DocumentPath?
    package var from: CollectionSelector
    package var filter: Filter?
    /// The explicit orders. ``NormalizedQuery/orders`` has the implied ones too.
    package var orders: [Order]
    package var start: Cursor?
    package var end: Cursor?
    package var offset: Int
    /// Nil for no limit. With ``limitToLast``, the number of rows at the end.
    package var limit: Int?
    /// Whether to take the last rows of the order instead of the first.
    package var limitToLast: Bool
    /// The field paths to return: nil for all, empty for none.
    package var projection: [FieldPath]?
    package var nearest: FindNearest?
    /// The index to read, if the query names one. It never changes the result.
    package var hint: IndexHint?

    package init(
        parent: DocumentPath? = nil, from: CollectionSelector, filter: Filter? = nil, orders: [Order] = [],
        start: Cursor? = nil, end: Cursor? = nil, offset: Int = 0, limit: Int? = nil, limitToLast: Bool = false,
        projection: [FieldPath]? = nil, nearest: FindNearest? = nil
    ) {
        self.parent = parent
        self.from = from
        self.filter = filter
        self.orders = orders
        self.start = start
        self.end = end
        self.offset = offset
        self.limit = limit
        self.limitToLast = limitToLast
        self.projection = projection
        self.nearest = nearest
    }
}

/// Which collections under the parent a query reads.
package struct CollectionSelector: Sendable, Hashable {
    /// Nil selects collections with any ID (a kindless query).
    package var collectionID: Text?
    /// Whether to read collections at any depth, or only those directly under the parent.
    package var allDescendants: Bool

    package init(collectionID: Text?, allDescendants: Bool = false) {
        self.collectionID = collectionID
        self.allDescendants = allDescendants
    }
}

package indirect enum Filter: Sendable {
    case field(FieldPath, FieldOperator, Value)
    case unary(FieldPath, UnaryOperator)
    case and([Filter])
    case or([Filter])
}

package enum FieldOperator: String, Sendable, CaseIterable {
    case lessThan = "LESS_THAN"
    case lessThanOrEqual = "LESS_THAN_OR_EQUAL"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEqual = "GREATER_THAN_OR_EQUAL"
    case equal = "EQUAL"
    case notEqual = "NOT_EQUAL"
    case arrayContains = "ARRAY_CONTAINS"
    case `in` = "IN"
    case arrayContainsAny = "ARRAY_CONTAINS_ANY"
    case notIn = "NOT_IN"
}

package enum UnaryOperator: String, Sendable, CaseIterable {
    case isNaN = "IS_NAN"
    case isNull = "IS_NULL"
    case isNotNaN = "IS_NOT_NAN"
    case isNotNull = "IS_NOT_NULL"
}

package struct Order: Sendable, Hashable {
    package let path: FieldPath
    package let direction: Direction

    package init(_ path: FieldPath, _ direction: Direction = .ascending) {
        self.path = path
        self.direction = direction
    }
}

/// A position in a query's order: values for its first orders, and a side of the rows with these values.
package struct Cursor: Sendable {
    package let values: [Value]
    /// True: just before the rows with these values; false: just after them.
    package let before: Bool

    package init(_ values: [Value], before: Bool) {
        self.values = values
        self.before = before
    }
}

/// A vector search.
package struct FindNearest: Sendable {
    package enum Measure: String, Sendable {
        case euclidean = "EUCLIDEAN"
        case cosine = "COSINE"
        case dotProduct = "DOT_PRODUCT"
    }

    package let path: FieldPath
    package let vector: [Double]
    package let measure: Measure
    package let limit: Int
    /// The top-level field of each result that receives the distance.
    package let distanceField: Text?
    package let threshold: Double?

    package init(
        path: FieldPath, vector: [Double], measure: Measure, limit: Int, distanceField: Text? = nil,
        threshold: Double? = nil
    ) {
        self.path = path
        self.vector = vector
        self.measure = measure
        self.limit = limit
        self.distanceField = distanceField
        self.threshold = threshold
    }
}

/// Up to five aggregations over the rows of a query.
package struct AggregationQuery: Sendable {
    package var query: Query
    package var aggregations: [Aggregation]

    package init(_ query: Query, _ aggregations: [Aggregation]) {
        self.query = query
        self.aggregations = aggregations
    }
}

package struct Aggregation: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case count(upTo: Int64?)
        case sum(FieldPath)
        case average(FieldPath)
    }

    /// Nil for the default name, `field_1` and so on.
    package let alias: Text?
    package let kind: Kind

    package init(alias: Text?, _ kind: Kind) {
        self.alias = alias
        self.kind = kind
    }
}
