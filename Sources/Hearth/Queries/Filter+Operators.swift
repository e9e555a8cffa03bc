// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

// Every operator with the field as a `String`, in which dots lead into maps, and as a `FieldPath`.

extension Filter {
    /// Documents whose field equals a value. `NSNull()` finds null, NaN finds NaN (V-31); `3` and `3.0` are equal.
    public static func whereField(_ field: String, isEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .equal, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
        Filter(path, .equal, value)
    }

    /// Documents that have the field, with another value, and not null (V-29).
    public static func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .notEqual, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
        Filter(path, .notEqual, value)
    }

    /// Documents whose field is less, and of the value's type (V-27).
    public static func whereField(_ field: String, isLessThan value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .lessThan, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
        Filter(path, .lessThan, value)
    }

    /// Documents whose field is less or equal, and of the value's type (V-27).
    public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .lessThanOrEqual, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
        Filter(path, .lessThanOrEqual, value)
    }

    /// Documents whose field is greater, and of the value's type (V-27).
    public static func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .greaterThan, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
        Filter(path, .greaterThan, value)
    }

    /// Documents whose field is greater or equal, and of the value's type (V-27).
    public static func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .greaterThanOrEqual, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
        Filter(path, .greaterThanOrEqual, value)
    }

    /// Documents whose field is an array that holds the value (V-34).
    public static func whereField(_ field: String, arrayContains value: Any) -> Filter {
        Filter(FieldPath(dotted: field), .arrayContains, value)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
        Filter(path, .arrayContains, value)
    }

    /// Documents whose field is an array that holds one of up to 30 values (V-35, Q-30).
    public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .arrayContainsAny, values)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
        Filter(path, .arrayContainsAny, values)
    }

    /// Documents whose field equals one of up to 30 values (V-33, Q-30).
    public static func whereField(_ field: String, in values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .in, values)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
        Filter(path, .in, values)
    }

    /// Documents that have the field, not null, and equal to none of up to 10 values (V-30, Q-30).
    public static func whereField(_ field: String, notIn values: [Any]) -> Filter {
        Filter(FieldPath(dotted: field), .notIn, values)
    }

    /// The same with a field path.
    public static func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
        Filter(path, .notIn, values)
    }
}
