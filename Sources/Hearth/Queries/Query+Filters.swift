// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

// Every operator with the field as a `String`, in which dots lead into maps, and as a `FieldPath`. A filter on
// `FieldPath.documentID()` takes references or strings: plain IDs in a query of a collection, paths in one of a collection
// group.

extension Query {
    /// Documents for which a filter holds, which may join others with *and* and *or*. Several calls are joined with *and*.
    public func whereFilter(_ filter: Filter) -> Query {
        changed { $0.add(filter) }
    }

    /// Documents whose field equals a value. `NSNull()` finds null, NaN finds NaN (V-31); `3` and `3.0` are equal.
    public func whereField(_ field: String, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isEqualTo: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isEqualTo: value))
    }

    /// Documents that have the field, with another value, and not null (V-29).
    public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isNotEqualTo: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isNotEqualTo: value))
    }

    /// Documents whose field is less, and of the value's type (V-27).
    public func whereField(_ field: String, isLessThan value: Any) -> Query {
        whereFilter(.whereField(field, isLessThan: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
        whereFilter(.whereField(path, isLessThan: value))
    }

    /// Documents whose field is less or equal, and of the value's type (V-27).
    public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isLessThanOrEqualTo: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isLessThanOrEqualTo: value))
    }

    /// Documents whose field is greater, and of the value's type (V-27).
    public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterThan: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterThan: value))
    }

    /// Documents whose field is greater or equal, and of the value's type (V-27).
    public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterOrEqualTo: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterOrEqualTo: value))
    }

    /// Documents whose field is an array that holds the value (V-34).
    public func whereField(_ field: String, arrayContains value: Any) -> Query {
        whereFilter(.whereField(field, arrayContains: value))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
        whereFilter(.whereField(path, arrayContains: value))
    }

    /// Documents whose field is an array that holds one of up to 30 values (V-35, Q-30).
    public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(field, arrayContainsAny: values))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(path, arrayContainsAny: values))
    }

    /// Documents whose field equals one of up to 30 values (V-33, Q-30).
    public func whereField(_ field: String, in values: [Any]) -> Query {
        whereFilter(.whereField(field, in: values))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
        whereFilter(.whereField(path, in: values))
    }

    /// Documents that have the field, not null, and equal to none of up to 10 values (V-30, Q-30).
    public func whereField(_ field: String, notIn values: [Any]) -> Query {
        whereFilter(.whereField(field, notIn: values))
    }

    /// The same with a field path.
    public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
        whereFilter(.whereField(path, notIn: values))
    }
}
