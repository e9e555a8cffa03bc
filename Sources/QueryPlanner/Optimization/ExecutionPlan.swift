// SPDX-License-Identifier: Apache-2.0

/// How the rows of a plan are found: as production finds them, or in another way that gives the same documents in the same
/// order (admission is not execution).
package struct ExecutionPlan: Sendable {
    /// What production runs.
    package let plan: QueryPlan
    /// One for each of ``QueryPlan/disjuncts``.
    package let strategies: [AccessStrategy]
    package let union: RowUnion

    package init(_ plan: QueryPlan, strategies: [AccessStrategy], union: RowUnion) {
        self.plan = plan
        self.strategies = strategies
        self.union = union
    }

    /// Production's own.
    package init(asPlanned plan: QueryPlan) {
        self.init(plan, strategies: Array(repeating: .planned, count: plan.disjuncts.count), union: .merge)
    }

    /// The plan as it ran.
    ///
    /// - Parameter decisions: the strategies that the data decided on, by the numbers of their disjuncts.
    package func executed(_ decisions: [Int: AccessStrategy]) -> ExecutionPlan {
        guard !decisions.isEmpty else { return self }
        return ExecutionPlan(plan, strategies: strategies.enumerated().map { decisions[$0] ?? $1 }, union: union)
    }
}

/// How the rows of one disjunct are found.
package enum AccessStrategy: Sendable {
    /// By the plan's own access path.
    case planned
    /// By one index read from its end where production joins several.
    case backwards(DisjunctPlan)
    /// Scans that name every row and perhaps more are stepped in turn; the documents of the one that ends first are read,
    /// checked and sorted.
    case sorted([AccessPath])
    /// By the plan's own access path, unless a scan among `alternatives` ends while that path works for nothing; then as
    /// ``sorted(_:)``. `patience` is how many entries the path may refuse before the alternatives begin.
    case adaptive(alternatives: [AccessPath], patience: Int)
}

/// How the rows of several disjuncts become one list.
package enum RowUnion: Sendable, Hashable {
    /// By their places in the query's order, each document once.
    case merge
    /// One disjunct after another, in this order: no document belongs to two, and the order asks for no more.
    case sequence([Int])
}

extension AccessPath {
    /// Whether the path may stop at any number of entries for each row. A join does not count: it stops at no more entries than
    /// a small multiple of what its shortest list has.
    var hasResidualFilter: Bool {
        switch self {
        case .documents, .nearest: false
        case .index(let scan): scan.hasResidualFilter
        case .join(let scans): scans[0].hasResidualFilter
        case .fullScan: true
        }
    }
}

extension IndexScan {
    var hasResidualFilter: Bool { suffix.contains { $0.allowed != nil } }
}
