// SPDX-License-Identifier: Apache-2.0

import DocumentEngine
import QueryPlanner
import TestSupport

/// A choice of ways that no cost makes: any that must give the same answer.
final class RandomExecution {
    private var random: SeededGenerator
    private var asked: ExecutionPlan?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    var strategy: ExecutionStrategy {
        .chosen { plan in
            let ways = plan.disjuncts.indices.map { self.way(to: $0, plan) }
            let sequence = plan.sequence.flatMap { self.random.chance(0.7) ? $0 : nil }
            let execution = ExecutionPlan(plan, ways: ways, union: sequence.map { .sequence($0) } ?? .merge)
            self.asked = execution
            return execution
        }
    }

    private func way(to position: Int, _ plan: QueryPlan) -> ExecutionWay {
        let others = plan.alternatives(to: position)
        var ways: [ExecutionWay] = [.planned]
        if let backwards = others.backwards { ways += [.backwards(backwards), .backwards(backwards)] }
        guard !others.drivers.isEmpty else { return random.pick(ways) }
        ways += others.drivers.map { .sorted([$0]) } + [.sorted(others.drivers)]
        if plan.query.query.nearest == nil {
            for patience in 0..<4 { ways.append(.adaptive(drivers: others.drivers, patience: patience)) }
        }
        return random.pick(ways)
    }

    /// Every form that ``forms(of:)`` knows.
    static let allForms: Set<String> = Set(
        [
            "by documents in name order", "by an automatic index", "by a composite index",
            "by a composite index that refuses entries", "by a composite index read backwards", "by a join",
            "by a join, backwards", "by a vector index", "by a full scan", "sorting what an automatic index names",
            "sorting what a composite index names", "sorting what a composite index that refuses entries names",
            "sorting what documents in name order names", "the shortest of several drivers",
            "adaptive, by production's way to the end", "adaptive, by a driver in the end",
            "several disjuncts merged", "several disjuncts in sequence",
        ].map { "chosen, \($0)" })

    /// What ran, and whether an adaptive way changed.
    func forms(of result: QueryResult) -> Set<String> {
        var forms = result.forms
        for (wanted, ran) in zip(asked?.ways ?? [], result.execution.ways) {
            switch (wanted, ran) {
            case (.adaptive, .planned): forms.insert("adaptive, by production's way to the end")
            case (.adaptive, .sorted): forms.insert("adaptive, by a driver in the end")
            case (.sorted(let drivers), .sorted) where drivers.count > 1:
                forms.insert("the shortest of several drivers")
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
        for (disjunct, way) in zip(plan.disjuncts, execution.ways) {
            switch way {
            case .planned: forms.insert("by \(disjunct.access.form)")
            case .backwards: forms.insert("by a composite index read backwards")
            case .sorted(let drivers): for driver in drivers { forms.insert("sorting what \(driver.form) names") }
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
                    ? "a composite index that refuses entries" : "a composite index"
            } else {
                "an automatic index"
            }
        case .join(let scans): scans[0].backwards ? "a join, backwards" : "a join"
        case .nearest: "a vector index"
        case .fullScan: "a full scan"
        }
    }
}
