// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

extension Filter {
    /// The field of a filter on one field; nil for a composite.
    var path: FieldPath? {
        switch self {
        case .field(let path, _, _), .unary(let path, _): path
        case .and, .or: nil
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .field, .unary: true
        case .and, .or: false
        }
    }

    /// Whether the operator makes its field an inequality field.
    var isInequality: Bool {
        switch self {
        case .field(_, let op, _): op.isInequality
        case .unary(_, let op): op == .isNotNaN || op == .isNotNull
        case .and, .or: false
        }
    }

    /// Whether it is one of the four filters of which a query may have only one.
    var isNegation: Bool {
        switch self {
        case .field(_, let op, _): op == .notEqual || op == .notIn
        case .unary(_, let op): op == .isNotNaN || op == .isNotNull
        case .and, .or: false
        }
    }

    /// The filters on single fields, in written order.
    var leaves: [Filter] {
        switch self {
        case .field, .unary: return [self]
        case .and(let filters) where filters.allSatisfy({ $0.isLeaf }): return filters
        case .and, .or:
            var leaves: [Filter] = []
            forEachLeaf { leaves.append($0) }
            return leaves
        }
    }

    /// Visits the filters on single fields, in written order.
    func forEachLeaf(_ body: (Filter) -> Void) {
        switch self {
        case .field, .unary: body(self)
        case .and(let filters), .or(let filters):
            for filter in filters { filter.forEachLeaf(body) }
        }
    }

    /// Whether composite filters nest at most this deep. All other recursion over filters relies on that bound.
    func nests(atMost depth: Int) -> Bool {
        switch self {
        case .field, .unary: true
        case .and(let filters), .or(let filters): depth > 0 && filters.allSatisfy { $0.nests(atMost: depth - 1) }
        }
    }

    /// Whether it contains an OR of several filters. An OR of one filter is that filter.
    var containsDisjunction: Bool {
        switch self {
        case .field, .unary: false
        case .and(let filters): filters.contains(where: \.containsDisjunction)
        case .or(let filters): filters.count > 1 || filters.contains(where: \.containsDisjunction)
        }
    }
}

extension FieldOperator {
    var isInequality: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
        case .equal, .arrayContains, .in, .arrayContainsAny: false
        }
    }

    var takesList: Bool { self == .in || self == .arrayContainsAny || self == .notIn }

    /// The maximum length of the operator's list.
    var maximumListCount: Int { self == .notIn ? 10 : 30 }
}
