// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// What a call of a library for Firestore does to a query.
enum Call: Sendable, Equatable {
    case collection
    case collectionGroup
    case document
    /// From a document to its collection.
    case parent
    /// A comparison: a field, an operator and a value, or a filter that was made before.
    case compare
    /// A comparison whose operator is the label of its value.
    case compareByLabel
    /// A comparison whose operator is the call's name.
    case compareBy(FieldOperator)
    case and, or
    case order
    case orderDescending
    case limit
    case limitToLast
    case offset
    case cursor
    case select
    case nearest
    case query
    case count
    case sum
    case average
    case aggregate
    /// It changes nothing that indexes depend on.
    case neutral
    /// The query runs.
    case run
    /// The name of the document as a field.
    case documentID
    /// A field, given by its segments.
    case fieldPath
    case descending
    case ascending
    /// Gives what its closure gives.
    case closure
    /// A list of its arguments.
    case list
    /// A vector of its argument.
    case vector
    /// Adds to a list.
    case append
}

extension Call {
    /// Whether a function of this kind that belongs to a type means this, whatever the type.
    var isUnmistakable: Bool {
        switch self {
        case .list, .vector, .fieldPath, .documentID, .and, .or, .closure, .sum, .average: true
        default: false
        }
    }
}

/// Operators as the libraries spell them.
enum OperatorName {
    static let symbols: [String: FieldOperator] = [
        "==": .equal, "=": .equal, "!=": .notEqual, "<": .lessThan, "<=": .lessThanOrEqual, ">": .greaterThan,
        ">=": .greaterThanOrEqual, "in": .in, "not-in": .notIn, "not_in": .notIn, "array-contains": .arrayContains,
        "array_contains": .arrayContains, "array-contains-any": .arrayContainsAny,
        "array_contains_any": .arrayContainsAny,
    ]

    /// Labels and names without their first word, as in `isEqualTo:` and `whereEqualTo`.
    static let words: [String: FieldOperator] = [
        "EqualTo": .equal, "NotEqualTo": .notEqual, "LessThan": .lessThan, "LessThanOrEqualTo": .lessThanOrEqual,
        "GreaterThan": .greaterThan, "GreaterThanOrEqualTo": .greaterThanOrEqual, "In": .in, "NotIn": .notIn,
        "ArrayContains": .arrayContains, "ArrayContainsAny": .arrayContainsAny,
    ]

    static let labels: [String: FieldOperator] = [
        "isEqualTo": .equal, "isNotEqualTo": .notEqual, "isLessThan": .lessThan,
        "isLessThanOrEqualTo": .lessThanOrEqual,
        "isGreaterThan": .greaterThan, "isGreaterThanOrEqualTo": .greaterThanOrEqual,
        "isGreaterOrEqualTo": .greaterThanOrEqual, "in": .in, "notIn": .notIn,
        "whereIn": .in, "whereNotIn": .notIn, "arrayContains": .arrayContains, "arrayContainsAny": .arrayContainsAny,
    ]
}
