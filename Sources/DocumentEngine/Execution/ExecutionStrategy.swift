// SPDX-License-Identifier: Apache-2.0

package import QueryPlanner

/// Who decides how a plan is run. No strategy changes an answer.
package enum ExecutionStrategy {
    /// Cost.
    case fastest
    /// Production: its plan, entry by entry, so that the counters are its own.
    case production
    /// The caller. For tests.
    case chosen((QueryPlan) -> ExecutionPlan)

    func execution(of plan: QueryPlan) -> ExecutionPlan {
        switch self {
        case .fastest: plan.execution
        case .production: ExecutionPlan(asPlanned: plan)
        case .chosen(let choose): choose(plan)
        }
    }

    package var isProduction: Bool {
        if case .production = self { true } else { false }
    }
}
