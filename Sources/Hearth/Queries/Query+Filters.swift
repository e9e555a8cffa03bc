// SPDX-License-Identifier: Apache-2.0

// Each operator takes the field as a `String`, in which dots lead into maps, or as a `FieldPath`. A filter on
// `FieldPath.documentID()` takes references or strings: plain IDs in a query of a collection, paths in a query of a
// collection group.

extension Query {
    /// Restricts the query to documents for which a filter holds. A filter can combine others with *and* and *or*.
    /// Several calls are combined with *and*.
    public func whereFilter(_ filter: Filter) -> Query {
        changed(.filter(filter))
    }

    /// Restricts the query to documents whose field equals a value. `NSNull()` matches null, NaN matches NaN; `3` and
    /// `3.0` are equal.
    public func whereField(_ field: String, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isEqualTo: value))
    }

    /// Restricts the query to documents whose field at a path equals a value.
    public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isEqualTo: value))
    }

    /// Restricts the query to documents whose field exists, is not null, and differs from a value.
    public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isNotEqualTo: value))
    }

    /// Restricts the query to documents whose field at a path exists, is not null, and differs from a value.
    public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isNotEqualTo: value))
    }

    /// Restricts the query to documents whose field is less than a value and has its type.
    public func whereField(_ field: String, isLessThan value: Any) -> Query {
        whereFilter(.whereField(field, isLessThan: value))
    }

    /// Restricts the query to documents whose field at a path is less than a value and has its type.
    public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
        whereFilter(.whereField(path, isLessThan: value))
    }

    /// Restricts the query to documents whose field is less than or equal to a value and has its type.
    public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isLessThanOrEqualTo: value))
    }

    /// Restricts the query to documents whose field at a path is less than or equal to a value and has its type.
    public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isLessThanOrEqualTo: value))
    }

    /// Restricts the query to documents whose field is greater than a value and has its type.
    public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterThan: value))
    }

    /// Restricts the query to documents whose field at a path is greater than a value and has its type.
    public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterThan: value))
    }

    /// Restricts the query to documents whose field is greater than or equal to a value and has its type.
    public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(field, isGreaterOrEqualTo: value))
    }

    /// Restricts the query to documents whose field at a path is greater than or equal to a value and has its type.
    public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
        whereFilter(.whereField(path, isGreaterOrEqualTo: value))
    }

    /// Restricts the query to documents whose field is an array that contains a value.
    public func whereField(_ field: String, arrayContains value: Any) -> Query {
        whereFilter(.whereField(field, arrayContains: value))
    }

    /// Restricts the query to documents whose field at a path is an array that contains a value.
    public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
        whereFilter(.whereField(path, arrayContains: value))
    }

    /// Restricts the query to documents whose field is an array that contains any of up to 30 values.
    public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(field, arrayContainsAny: values))
    }

    /// Restricts the query to documents whose field at a path is an array that contains any of up to 30 values.
    public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
        whereFilter(.whereField(path, arrayContainsAny: values))
    }

    /// Restricts the query to documents whose field equals any of up to 30 values.
    public func whereField(_ field: String, in values: [Any]) -> Query {
        whereFilter(.whereField(field, in: values))
    }

    /// Restricts the query to documents whose field at a path equals any of up to 30 values.
    public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
        whereFilter(.whereField(path, in: values))
    }

    /// Restricts the query to documents whose field exists, is not null, and equals none of up to 10 values.
    public func whereField(_ field: String, notIn values: [Any]) -> Query {
        whereFilter(.whereField(field, notIn: values))
    }

    /// Restricts the query to documents whose field at a path exists, is not null, and equals none of up to 10 values.
    public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
        whereFilter(.whereField(path, notIn: values))
    }
}
