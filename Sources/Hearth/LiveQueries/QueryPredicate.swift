// SPDX-License-Identifier: Apache-2.0

/// A part of a live query: a filter, an order or a limit; see ``LiveQuery``.
///
/// ```swift
/// let predicates: [QueryPredicate] = [
///     .whereField("userId", isEqualTo: userID), .order(by: "createdTime", descending: true), .limit(to: 20),
/// ]
/// ```
///
/// The values are those of ``Query``'s methods of the same names. An invalid value becomes the live query's error.
public struct QueryPredicate: Sendable {
    /// Adds the predicate to a query.
    let add: @Sendable (Query) -> Query

    private init(_ add: @escaping @Sendable (Query) -> Query) {
        self.add = add
    }

    /// Any filter, including one with *or*.
    public static func whereFilter(_ filter: Filter) -> QueryPredicate {
        QueryPredicate { $0.whereFilter(filter) }
    }

    /// Documents whose field equals a value.
    public static func whereField(_ field: String, isEqualTo value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, isEqualTo: value))
    }

    /// Documents whose field equals any of up to 30 values.
    public static func whereField(_ field: String, isIn values: [Any]) -> QueryPredicate {
        whereFilter(.whereField(field, in: values))
    }

    /// Documents whose field is not null and equals none of up to 10 values.
    public static func whereField(_ field: String, isNotIn values: [Any]) -> QueryPredicate {
        whereFilter(.whereField(field, notIn: values))
    }

    /// Documents whose field is an array that contains a value.
    public static func whereField(_ field: String, arrayContains value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, arrayContains: value))
    }

    /// Documents whose field is an array that contains any of up to 30 values.
    public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> QueryPredicate {
        whereFilter(.whereField(field, arrayContainsAny: values))
    }

    /// Documents whose field is less than a value of the same type.
    public static func whereField(_ field: String, isLessThan value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, isLessThan: value))
    }

    /// Documents whose field is greater than a value of the same type.
    public static func whereField(_ field: String, isGreaterThan value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, isGreaterThan: value))
    }

    /// Documents whose field is less than or equal to a value of the same type.
    public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, isLessThanOrEqualTo: value))
    }

    /// Documents whose field is greater than or equal to a value of the same type.
    public static func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate {
        whereFilter(.whereField(field, isGreaterOrEqualTo: value))
    }

    /// An order by a field, after the orders given before.
    public static func order(by field: String, descending: Bool = false) -> QueryPredicate {
        QueryPredicate { $0.order(by: field, descending: descending) }
    }

    /// At most this many documents, from the start of the order.
    public static func limit(to limit: Int) -> QueryPredicate {
        QueryPredicate { $0.limit(to: limit) }
    }

    /// At most this many documents, from the end of the order.
    public static func limit(toLast limit: Int) -> QueryPredicate {
        QueryPredicate { $0.limit(toLast: limit) }
    }
}

// MARK: - The older spelling

extension QueryPredicate {
    /// The older name of ``whereField(_:isEqualTo:)``.
    public static func `where`(_ field: String, isEqualTo value: Any) -> QueryPredicate {
        whereField(field, isEqualTo: value)
    }

    /// The older name of ``whereField(_:isIn:)``.
    public static func `where`(_ field: String, isIn values: [Any]) -> QueryPredicate {
        whereField(field, isIn: values)
    }

    /// The older name of ``whereField(_:isNotIn:)``.
    public static func `where`(_ field: String, isNotIn values: [Any]) -> QueryPredicate {
        whereField(field, isNotIn: values)
    }

    /// The older name of ``whereField(_:arrayContains:)``.
    public static func `where`(_ field: String, arrayContains value: Any) -> QueryPredicate {
        whereField(field, arrayContains: value)
    }

    /// The older name of ``whereField(_:arrayContainsAny:)``.
    public static func `where`(_ field: String, arrayContainsAny values: [Any]) -> QueryPredicate {
        whereField(field, arrayContainsAny: values)
    }

    /// The older name of ``whereField(_:isLessThan:)``.
    public static func `where`(_ field: String, isLessThan value: Any) -> QueryPredicate {
        whereField(field, isLessThan: value)
    }

    /// The older name of ``whereField(_:isGreaterThan:)``.
    public static func `where`(_ field: String, isGreaterThan value: Any) -> QueryPredicate {
        whereField(field, isGreaterThan: value)
    }

    /// The older name of ``whereField(_:isLessThanOrEqualTo:)``.
    public static func `where`(_ field: String, isLessThanOrEqualTo value: Any) -> QueryPredicate {
        whereField(field, isLessThanOrEqualTo: value)
    }

    /// The older name of ``whereField(_:isGreaterThanOrEqualTo:)``.
    public static func `where`(_ field: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate {
        whereField(field, isGreaterThanOrEqualTo: value)
    }
}
