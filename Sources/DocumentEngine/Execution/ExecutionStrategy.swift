// SPDX-License-Identifier: Apache-2.0

package import IndexCatalog
package import QueryPlanner

/// Who decides how a plan is run. No strategy changes an answer.
package enum ExecutionStrategy {
    /// Cost.
    case fastest
    /// Production: its plan, entry by entry, so that the counters are its own.
    case production
    /// The caller. For tests.
    case chosen((QueryPlan, IndexCatalog) -> ExecutionPlan)

    func execution(of plan: QueryPlan, _ catalog: IndexCatalog) -> ExecutionPlan {
        switch self {
        case .fastest: plan.execution(catalog)
        case .production: ExecutionPlan(asPlanned: plan)
        case .chosen(let choose): choose(plan, catalog)
        }
    }

    package var isProduction: Bool {
        if case .production = self { true } else { false }
    }
}
