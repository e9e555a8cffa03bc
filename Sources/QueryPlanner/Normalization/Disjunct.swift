// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// One conjunction taken apart: which fields it binds, and to what.
struct Disjunct {
    struct Equality {
        let path: FieldPath
        let value: Value
    }

    /// A field with inequality filters, or `__name__` with any.
    struct Bound {
        let path: FieldPath
        /// In ascending key bytes.
        var ranges: KeyRangeSet
        /// How many scans production lists for it (P-12).
        var scanCount: Int
    }

    let conjunction: Conjunction
    /// Fields bound by equality, each once.
    private(set) var equalities: [Equality] = []
    /// The field of a membership filter and the element to be found.
    private(set) var membership: Equality?
    private(set) var bounds: [Bound] = []
    /// Whether its filters contradict each other, or one of them can match nothing. It still takes part in admission, which
    /// is decided by operators alone.
    private(set) var matchesNothing = false

    init(_ filters: [Filter], names: NameSpace) {
        conjunction = Conjunction(filters)
        for filter in filters { add(filter, names: names) }
        if bounds.contains(where: { $0.ranges.isEmpty }) { matchesNothing = true }
        dropBoundsOfEqualities()
    }

    private mutating func add(_ filter: Filter, names: NameSpace) {
        switch filter {
        case .field(let path, _, _) where path.isDocumentName:
            addBound(path, names.ranges(of: filter), scanCount: filter.scanCount)
        case .field(let path, .equal, let value):
            if value.isNull || value.isNaN { matchesNothing = true }
            addEquality(path, value)
        case .unary(let path, .isNull): addEquality(path, .null)
        case .unary(let path, .isNaN): addEquality(path, .double(.nan))
        case .field(let path, .arrayContains, let value):
            if value.isNull || value.isNaN || value.typeClass == .array { matchesNothing = true }
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

    /// An inequality on a field that is bound by equality holds for that value or contradicts it.
    private mutating func dropBoundsOfEqualities() {
        for equality in equalities {
            guard let index = bounds.firstIndex(where: { $0.path == equality.path }) else { continue }
            if !bounds[index].ranges.contains(FilterBounds.key(equality.value)) { matchesNothing = true }
            bounds.remove(at: index)
        }
    }

    func equality(of path: FieldPath) -> Equality? { equalities.first { $0.path == path } }
    func bound(of path: FieldPath) -> Bound? { bounds.first { $0.path == path } }
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
