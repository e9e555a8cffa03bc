// SPDX-License-Identifier: Apache-2.0

package import QueryPlanner

/// How to run a plan. No strategy changes an answer.
package enum ExecutionStrategy {
    /// The cheapest way.
    case fastest
    /// Production's plan, entry by entry, so that the counters are production's.
    case production
    /// The caller's choice, for tests.
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
