// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

// Each operator takes the field as a `String`, in which dots lead into maps, or as a `FieldPath`.

extension Filter {
    /// Matches documents whose field equals a value. `NSNull()` matches null, NaN matches NaN; `3` and `3.0` are equal.
    public static func whereField(_ field: String, isEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .equal, value)
    }

    /// Matches documents whose field at a path equals a value.
    public static func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
        Filter(path, .equal, value)
    }

    /// Matches documents whose field exists, is not null, and differs from a value.
    public static func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .notEqual, value)
    }

    /// Matches documents whose field at a path exists, is not null, and differs from a value.
    public static func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
        Filter(path, .notEqual, value)
    }

    /// Matches documents whose field is less than a value and has its type.
    public static func whereField(_ field: String, isLessThan value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .lessThan, value)
    }

    /// Matches documents whose field at a path is less than a value and has its type.
    public static func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
        Filter(path, .lessThan, value)
    }

    /// Matches documents whose field is less than or equal to a value and has its type.
    public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .lessThanOrEqual, value)
    }

    /// Matches documents whose field at a path is less than or equal to a value and has its type.
    public static func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
        Filter(path, .lessThanOrEqual, value)
    }

    /// Matches documents whose field is greater than a value and has its type.
    public static func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .greaterThan, value)
    }

    /// Matches documents whose field at a path is greater than a value and has its type.
    public static func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
        Filter(path, .greaterThan, value)
    }

    /// Matches documents whose field is greater than or equal to a value and has its type.
    public static func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .greaterThanOrEqual, value)
    }

    /// Matches documents whose field at a path is greater than or equal to a value and has its type.
    public static func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
        Filter(path, .greaterThanOrEqual, value)
    }

    /// Matches documents whose field is an array that contains a value.
    public static func whereField(_ field: String, arrayContains value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .arrayContains, value)
    }

    /// Matches documents whose field at a path is an array that contains a value.
    public static func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
        Filter(path, .arrayContains, value)
    }

    /// Matches documents whose field is an array that contains any of up to 30 values.
    public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .arrayContainsAny, values)
    }

    /// Matches documents whose field at a path is an array that contains any of up to 30 values.
    public static func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
        Filter(path, .arrayContainsAny, values)
    }

    /// Matches documents whose field equals any of up to 30 values.
    public static func whereField(_ field: String, in values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .in, values)
    }

    /// Matches documents whose field at a path equals any of up to 30 values.
    public static func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
        Filter(path, .in, values)
    }

    /// Matches documents whose field exists, is not null, and equals none of up to 10 values.
    public static func whereField(_ field: String, notIn values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .notIn, values)
    }

    /// Matches documents whose field at a path exists, is not null, and equals none of up to 10 values.
    public static func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
        Filter(path, .notIn, values)
    }
}
