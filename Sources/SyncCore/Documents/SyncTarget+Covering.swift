// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

extension SyncTarget {
    /// Whether every row of `other` is certainly a row of this target, which has no limit and no cursors.
    ///
    /// Recognised are queries of the same collection, or of the same collection group, and queries of a collection in a
    /// group: if all of this target's filters are among theirs, and if they demand all fields by which it is ordered. A
    /// document is recognised in its whole collection.
    func covers(_ other: SyncTarget) -> Bool {
        guard case .query(let wide) = kind, wide.isUncut else { return false }
        switch other.kind {
        case .bundle: return false
        case .document(let path):
            return wide.filter == nil && wide.orders.allSatisfy(\.path.isDocumentName)
                && wide.reads(path.collection.group, of: path.collection.parent, allDescendants: false)
        case .query(let narrow):
            let filters = narrow.conjuncts
            let demanded = filters.compactMap(\.demandedField) + narrow.orders.map(\.path)
            return wide.reads(
                narrow.from.collectionID, of: narrow.parent, allDescendants: narrow.from.allDescendants)
                && wide.conjuncts.allSatisfy { filter in filters.contains { $0.isIdentical(to: filter) } }
                && wide.orders.allSatisfy { $0.path.isDocumentName || demanded.contains($0.path) }
        }
    }
}

extension Query {
    /// Whether the query has neither a limit nor cursors.
    var isUncut: Bool { limit == nil && start == nil && end == nil }

    /// The filters that all rows meet.
    var conjuncts: [Filter] { filter?.conjuncts ?? [] }

    /// Whether the query reads these collections, and maybe others.
    fileprivate func reads(_ id: Text?, of root: DocumentPath?, allDescendants: Bool) -> Bool {
        guard from.collectionID == id else { return false }
        if from.allDescendants { return (parent?.resource ?? .root).isPrefix(of: root?.resource ?? .root) }
        return !allDescendants && parent == root
    }
}

extension Filter {
    fileprivate var conjuncts: [Filter] {
        if case .and(let filters) = self { filters.flatMap(\.conjuncts) } else { [self] }
    }

    /// The field that a document must have to meet the filter, if there is one.
    fileprivate var demandedField: FieldPath? {
        switch self {
        case .field(let path, _, _), .unary(let path, _): path
        case .and, .or: nil
        }
    }

    fileprivate func isIdentical(to other: Filter) -> Bool {
        switch (self, other) {
        case (.field(let path, let compare, let value), .field(let otherPath, let otherCompare, let otherValue)):
            path == otherPath && compare == otherCompare && value.isIdentical(to: otherValue)
        case (.unary(let path, let test), .unary(let otherPath, let otherTest)):
            path == otherPath && test == otherTest
        case (.and(let filters), .and(let others)), (.or(let filters), .or(let others)):
            filters.count == others.count && zip(filters, others).allSatisfy { $0.isIdentical(to: $1) }
        default: false
        }
    }
}
