// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// A disjunct of a query's disjunctive normal form: filters that must all match, and the fields that they bind.
package struct Disjunct: Sendable {
    struct Equality: Sendable {
        let path: FieldPath
        let value: Value
    }

    /// A field with inequality filters, or `__name__` with any filter.
    struct Bound: Sendable {
        let path: FieldPath
        /// Over ascending key bytes.
        var ranges: KeyRangeSet
        /// The number of scans that production lists for it (P-12).
        var scanCount: Int
    }

    /// The filters as written; `in` and `array-contains-any` are replaced by one of their values.
    package let filters: [Filter]
    /// The number of the branch of the filter's ORs that it belongs to. Disjuncts of one branch have the same fields
    /// and operators, also across queries that share a ``PlanKey``. Only their values differ.
    let branch: Int
    /// Fields bound by equality, each once.
    private(set) var equalities: [Equality] = []
    /// The field of a membership filter and the element to find.
    private(set) var membership: Equality?
    private(set) var bounds: [Bound] = []
    /// Whether no document can match: filters contradict each other, or one of them matches nothing. Such a disjunct
    /// still counts for admission, because operators alone decide that.
    private(set) var matchesNothing = false

    init(_ filters: [Filter], branch: Int = 0, names: borrowing NameSpace) {
        self.filters = filters
        self.branch = branch
        for filter in filters { add(filter, names: names) }
        if bounds.contains(where: { $0.ranges.isEmpty }) { matchesNothing = true }
        dropBoundsOfEqualities()
    }

    private mutating func add(_ filter: Filter, names: NameSpace) {
        switch filter {
        case .field(let path, _, _) where path.isDocumentName:
            addBound(path, names.ranges(of: filter), scanCount: filter.scanCount)
        case .field(let path, .equal, let value):
            if value.equalsNothing { matchesNothing = true }
            addEquality(path, value)
        case .unary(let path, .isNull): addEquality(path, .null)
        case .unary(let path, .isNaN): addEquality(path, .double(.nan))
        case .field(let path, .arrayContains, let value):
            if value.isNeverAnElement { matchesNothing = true }
            membership = Equality(path: path, value: value)
        case .field(let path, _, _), .unary(let path, _):
            addBound(path, FilterBounds.ranges(of: filter), scanCount: filter.scanCount)
        case .and, .or: preconditionFailure("a conjunction holds filters on single fields")
        }
    }

    private mutating func addEquality(_ path: FieldPath, _ value: Value) {
        guard let known = equality(of: path) else { return equalities.append(Equality(path: path, value: value)) }
        if Value.compare(known.value, value) != 0 { matchesNothing = true }
    }

    private mutating func addBound(_ path: FieldPath, _ ranges: KeyRangeSet, scanCount: Int) {
        guard let index = bounds.firstIndex(where: { $0.path == path }) else {
            return bounds.append(Bound(path: path, ranges: ranges, scanCount: scanCount))
        }
        bounds[index].ranges = bounds[index].ranges.intersection(ranges)
        bounds[index].scanCount = max(bounds[index].scanCount, scanCount)
    }

    /// If a field is bound by equality, an inequality on it either holds for that value or contradicts it.
    private mutating func dropBoundsOfEqualities() {
        if bounds.isEmpty { return }
        for equality in equalities {
            guard let index = bounds.firstIndex(where: { $0.path == equality.path }) else { continue }
            if !bounds[index].ranges.contains(FilterBounds.key(equality.value)) { matchesNothing = true }
            bounds.remove(at: index)
        }
    }

    func equality(of path: FieldPath) -> Equality? { equalities.first { $0.path == path } }
    func bound(of path: FieldPath) -> Bound? { bounds.first { $0.path == path } }
}

extension Value {
    /// Whether an equality filter with this operand matches nothing.
    var equalsNothing: Bool { isNull || isNaN }
    /// Whether an `array-contains` filter with this operand matches nothing.
    var isNeverAnElement: Bool { equalsNothing || typeClass == .array }
}

/// Where a disjunct stores the values of a field. The place is the same in all disjuncts of one branch.
enum ValuePlace: Sendable, Equatable {
    case equality(Int)
    case membership
    case bound(Int)
    /// `__name__`, without a filter.
    case anyName
    case anyValue
}

extension Disjunct {
    /// The place of the values of an ordered index field.
    func place(of path: FieldPath) -> ValuePlace {
        if let place = equalities.firstIndex(where: { $0.path == path }) { return .equality(place) }
        if let place = bounds.firstIndex(where: { $0.path == path }) { return .bound(place) }
        return path.isDocumentName ? .anyName : .anyValue
    }

    /// The value of an equality or a membership filter; nil for other places.
    func value(at place: ValuePlace) -> Value? {
        switch place {
        case .equality(let number): equalities[number].value
        case .membership: membership?.value
        case .bound, .anyName, .anyValue: nil
        }
    }

    /// The values that the field may have, over ascending bytes.
    func ranges(at place: ValuePlace, names: NameSpace) -> KeyRangeSet {
        switch place {
        case .equality(let number): [KeyRange(prefix: FilterBounds.key(equalities[number].value))]
        case .bound(let number): bounds[number].ranges
        case .anyName: names.all
        case .membership, .anyValue: .everything
        }
    }

    /// The number of scans that production lists for the field (P-12).
    func scanCount(at place: ValuePlace) -> Int {
        if case .bound(let number) = place { bounds[number].scanCount } else { 1 }
    }
}

extension Filter {
    /// P-12.
    fileprivate var scanCount: Int {
        switch self {
        case .field(_, .notEqual, _): 2
        case .field(_, .notIn, .array(let operands)): operands.count + 1
        default: 1
        }
    }
}
