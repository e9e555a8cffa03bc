// SPDX-License-Identifier: Apache-2.0

@testable internal import QueryPlanner

/// Everything that a plan says and how it would run, or why there is none, as text that compares.
enum PlanDescription {
    static func text(_ plan: () throws -> QueryPlan) -> String {
        do { return text(try plan()) } catch { return dumped(error) }
    }

    private static func text(_ plan: QueryPlan) -> String {
        let query = plan.query
        let execution = plan.execution
        let filters = query.disjuncts.map { disjunct in disjunct.filters.map { dumped($0) } }
        let parts: [Any] = [
            dumped(query.query), dumped(query.aggregations), dumped(query.scope), dumped(query.orders), filters,
            dumped(query.cursors?.start as Any), dumped(query.cursors?.end as Any), query.offset, query.limit as Any,
            query.reversesRows,
            dumped(plan.disjuncts), dumped(plan.hinted as Any), execution.explanation.text,
            plan.indexesUsed.map(\.properties), plan.disjuncts.indices.map { strategy(execution, $0) },
            plan.disjuncts.indices.map { position in
                let others = plan.alternatives(to: position)
                return dumped(others.backwards as Any) + dumped(others.scans)
            }, "\(execution.union)",
        ]
        return parts.map { "\($0)" }.joined(separator: "\n")
    }

    private static func strategy(_ execution: ExecutionPlan, _ position: Int) -> String {
        switch execution.strategies[position] {
        case .planned: "planned"
        case .backwards(let plan): "backwards " + dumped(plan)
        case .sorted(let paths): "sorted " + dumped(paths)
        case .adaptive(let paths, let budget): "adaptive \(budget) " + dumped(paths)
        }
    }

    static func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
