// SPDX-License-Identifier: Apache-2.0

// Symbols of FirebaseFirestore that Hearth lacks, declared so that the compiler says why. The texts are those of
// docs/firestore-symbols.tsv; a test compares them.

extension QueryPredicate {
    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isEqualTo:).")
    public static func isEqualTo(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isIn:).")
    public static func isIn(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isNotIn:).")
    public static func isNotIn(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:arrayContains:).")
    public static func arrayContains(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:arrayContainsAny:).")
    public static func arrayContainsAny(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isLessThan:).")
    public static func isLessThan(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isGreaterThan:).")
    public static func isGreaterThan(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isLessThanOrEqualTo:).")
    public static func isLessThanOrEqualTo(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use whereField(_:isGreaterThanOrEqualTo:).")
    public static func isGreaterThanOrEqualTo(_ field: String, _ value: Any) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use order(by:descending:).")
    public static func orderBy(_ field: String, _ descending: Bool) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use limit(to:) or limit(toLast:).")
    public static func limitTo(_ limit: Int) -> QueryPredicate { fatalError() }

    /// Unavailable in Hearth.
    @available(*, unavailable, message: "Use limit(to:) or limit(toLast:).")
    public static func limitToLast(_ limit: Int) -> QueryPredicate { fatalError() }
}
