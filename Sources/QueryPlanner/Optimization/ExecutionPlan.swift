// SPDX-License-Identifier: Apache-2.0

/// How a plan runs: as planned, or with another strategy that gives the same documents in the same order (admission
/// is not execution).
package struct ExecutionPlan: Sendable {
    /// Production's plan.
    package let plan: QueryPlan
    /// One for each of ``QueryPlan/disjuncts``.
    package let strategies: [AccessStrategy]
    package let union: RowUnion

    package init(_ plan: QueryPlan, strategies: [AccessStrategy], union: RowUnion) {
        self.plan = plan
        self.strategies = strategies
        self.union = union
    }

    /// The plan as production runs it.
    package init(asPlanned plan: QueryPlan) {
        self.init(plan, strategies: Array(repeating: .planned, count: plan.disjuncts.count), union: .merge)
    }

    /// The plan as it ran.
    ///
    /// - Parameter decisions: the strategies that were chosen during execution, by the positions of their disjuncts.
    package func executed(_ decisions: [Int: AccessStrategy]) -> ExecutionPlan {
        guard !decisions.isEmpty else { return self }
        return ExecutionPlan(plan, strategies: strategies.enumerated().map { decisions[$0] ?? $1 }, union: union)
    }
}

/// How the rows of one disjunct are found.
package enum AccessStrategy: Sendable {
    /// With the plan's access path.
    case planned
    /// With one index read backwards, where production joins several.
    case backwards(DisjunctPlan)
    /// Alternative scans are stepped in turn. The documents of the scan that ends first are read, filtered and
    /// sorted.
    case sorted([AccessPath])
    /// With the plan's access path, until it has rejected `budget` entries. Then the alternative scans are stepped
    /// too. If one ends first, execution continues as ``sorted(_:)``.
    case adaptive(alternatives: [AccessPath], budget: Int)
}

/// How the rows of several disjuncts are combined.
package enum RowUnion: Sendable, Hashable {
    /// Merged by sort key, each document once.
    case merge
    /// One disjunct after another, in this order. The disjuncts are disjoint, and the query's order allows it.
    case sequence([Int])
}

extension AccessPath {
    /// Whether the path may reject any number of entries for each row. A join does not count: it reads at most a
    /// small multiple of the entries of its shortest list.
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
