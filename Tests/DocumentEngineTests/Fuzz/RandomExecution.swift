// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import QueryPlanner
import TestSupport

/// A random choice of strategies. Each must give the same answer.
final class RandomExecution {
    private var random: SeededGenerator
    private var asked: ExecutionPlan?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    var strategy: ExecutionStrategy {
        .chosen { plan in
            let strategies = plan.disjuncts.indices.map { self.strategy(for: $0, plan) }
            let sequence = plan.sequence.flatMap { self.random.chance(0.7) ? $0 : nil }
            let execution = ExecutionPlan(plan, strategies: strategies, union: sequence.map { .sequence($0) } ?? .merge)
            self.asked = execution
            return execution
        }
    }

    private func strategy(for position: Int, _ plan: QueryPlan) -> AccessStrategy {
        let others = plan.alternatives(to: position)
        var strategies: [AccessStrategy] = [.planned]
        if let backwards = others.backwards { strategies += [.backwards(backwards), .backwards(backwards)] }
        guard !others.scans.isEmpty else { return random.pick(strategies) }
        strategies += others.scans.map { .sorted([$0]) } + [.sorted(others.scans)]
        if plan.query.query.nearest == nil {
            for budget in 0..<4 { strategies.append(.adaptive(alternatives: others.scans, budget: budget)) }
        }
        return random.pick(strategies)
    }

    /// Every form that ``forms(of:)`` knows.
    static let allForms: Set<String> = Set(
        [
            "by documents in name order", "by an automatic index", "by a composite index",
            "by a composite index with a residual filter", "by a composite index read backwards", "by a join",
            "by a join, backwards", "by a vector index", "by a full scan", "sorting what an automatic index names",
            "sorting what a composite index names", "sorting what a composite index with a residual filter names",
            "sorting what documents in name order names", "the shortest of several scans",
            "adaptive, as planned to the end", "adaptive, by another scan in the end",
            "several disjuncts merged", "several disjuncts in sequence",
        ].map { "chosen, \($0)" })

    /// What ran, and whether an adaptive strategy changed.
    func forms(of result: QueryResult) -> Set<String> {
        var forms = result.forms
        for (wanted, ran) in zip(asked?.strategies ?? [], result.execution.strategies) {
            switch (wanted, ran) {
            case (.adaptive, .planned): forms.insert("adaptive, as planned to the end")
            case (.adaptive, .sorted): forms.insert("adaptive, by another scan in the end")
            case (.sorted(let scans), .sorted) where scans.count > 1:
                forms.insert("the shortest of several scans")
            default: break
            }
        }
        return Set(forms.map { "chosen, \($0)" })
    }
}

extension QueryResult {
    /// The forms of access that ran.
    var forms: Set<String> {
        var forms: Set<String> = []
        for (disjunct, strategy) in zip(plan.disjuncts, execution.strategies) {
            switch strategy {
            case .planned: forms.insert("by \(disjunct.access.form)")
            case .backwards: forms.insert("by a composite index read backwards")
            case .sorted(let scans): for scan in scans { forms.insert("sorting what \(scan.form) names") }
            case .adaptive: break
            }
        }
        switch execution.union {
        case .sequence: forms.insert("several disjuncts in sequence")
        case .merge where plan.disjuncts.count > 1: forms.insert("several disjuncts merged")
        case .merge: break
        }
        return forms
    }
}

extension AccessPath {
    fileprivate var form: String {
        switch self {
        case .documents: "documents in name order"
        case .index(let scan):
            if case .composite = scan.index {
                scan.suffix.contains { $0.allowed != nil }
                    ? "a composite index with a residual filter" : "a composite index"
            } else {
                "an automatic index"
            }
        case .join(let scans): scans[0].backwards ? "a join, backwards" : "a join"
        case .nearest: "a vector index"
        case .fullScan: "a full scan"
        }
    }
}
