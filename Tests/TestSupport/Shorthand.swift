// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

// Short forms of values, paths and filters, for tables of cases in tests.

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral, ExpressibleByDictionaryLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(stringLiteral value: String) { self = .string(Text(value)) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: Value...) { self = .array(elements) }
    package init(nilLiteral: ()) { self = .null }

    /// - Precondition: no name twice.
    package init(dictionaryLiteral elements: (Text, Value)...) {
        self = .map(Fields(elements.map { Field($0.0, $0.1) })!)
    }
}

extension Fields: ExpressibleByDictionaryLiteral {
    /// - Precondition: no name twice.
    package init(dictionaryLiteral elements: (Text, Value)...) {
        self = Fields(elements.map { Field($0.0, $0.1) })!
    }
}

extension FieldPath: ExpressibleByStringLiteral {
    /// Names separated by dots. Use ``init(name:)`` for a name with a dot.
    package init(stringLiteral value: String) {
        self.init(value.split(separator: ".", omittingEmptySubsequences: false).map { Text(String($0)) })
    }
}

extension DocumentPath: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(ResourcePath(segments: value.split(separator: "/").map { Text(String($0)) }))
    }
}

extension Query {
    /// All documents of a collection at the root.
    package static func collection(_ id: Text) -> Query { Query(from: CollectionSelector(collectionID: id)) }

    /// All documents of a collection group.
    package static func collectionGroup(_ id: Text) -> Query {
        Query(from: CollectionSelector(collectionID: id, allDescendants: true))
    }

    /// This query with another filter, limit or orders …
    package func with(_ change: (inout Query) -> Void) -> Query {
        var copy = self
        change(&copy)
        return copy
    }
}
