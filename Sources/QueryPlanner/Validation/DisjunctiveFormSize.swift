// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The size of a filter's disjunctive normal form, computed without building it.
///
/// Counts saturate at `Int.max`, because nested ANDs of ORs multiply.
struct DisjunctiveFormSize {
    /// Disjuncts.
    var disjuncts: Int
    /// Filters, summed over the disjuncts.
    var filters: Int
    /// The most membership filters in one disjunct.
    var memberships: Int

    init(of filter: Filter) {
        switch filter {
        case .unary: self.init(disjuncts: 1, filters: 1, memberships: 0)
        case .field(_, let op, let operand):
            let count =
                switch (op, operand) {
                case (.in, .array(let elements)), (.arrayContainsAny, .array(let elements)): elements.count
                default: 1
                }
            let isMembership = op == .arrayContains || op == .arrayContainsAny
            self.init(disjuncts: count, filters: count, memberships: isMembership ? 1 : 0)
        case .and(let children):
            self.init(disjuncts: 1, filters: 0, memberships: 0)
            for child in children { and(DisjunctiveFormSize(of: child)) }
        case .or(let children):
            self.init(disjuncts: 0, filters: 0, memberships: 0)
            for child in children { or(DisjunctiveFormSize(of: child)) }
        }
    }

    private init(disjuncts: Int, filters: Int, memberships: Int) {
        self.disjuncts = disjuncts
        self.filters = filters
        self.memberships = memberships
    }

    private mutating func and(_ other: DisjunctiveFormSize) {
        filters = add(multiply(filters, other.disjuncts), multiply(other.filters, disjuncts))
        disjuncts = multiply(disjuncts, other.disjuncts)
        memberships += other.memberships
    }

    private mutating func or(_ other: DisjunctiveFormSize) {
        filters = add(filters, other.filters)
        disjuncts = add(disjuncts, other.disjuncts)
        memberships = max(memberships, other.memberships)
    }

    private func add(_ lhs: Int, _ rhs: Int) -> Int {
        let (sum, overflow) = lhs.addingReportingOverflow(rhs)
        return overflow ? .max : sum
    }

    private func multiply(_ lhs: Int, _ rhs: Int) -> Int {
        let (product, overflow) = lhs.multipliedReportingOverflow(by: rhs)
        return overflow ? .max : product
    }
}
