// SPDX-License-Identifier: Apache-2.0

internal import QueryPlanner

/// Delivers the rows of the planned scan. While its residual filter rejects many entries, also tries alternative scans;
/// if one of them ends, delivers that scan's documents instead, checked and sorted.
///
/// The planned scan and the trial take turns, so the whole costs at most a small multiple of the cheaper way.
final class AdaptiveOperator: DelegatingOperator {
    let context: ExecutionContext
    /// Nil once an alternative has won.
    private var planned: (any BudgetedOperator)?
    private var sorted: (any RowOperator)?
    private let alternatives: [AccessPath]
    private var trial: ScanTrial?
    private let builder: OperatorBuilder
    private let position: Int
    /// The number of delivered rows. An alternative skips them, because it delivers the same rows in the same order.
    private var delivered = 0
    /// The number of entries that the planned scan may reject before the next round of the trial.
    private var budget: Int
    private var trialSteps = AdaptiveOperator.documentCost

    /// The cost of reading, checking and sorting a document, in index steps.
    private static let documentCost = 16
    /// A longer alternative would keep too many documents in memory.
    private static let longestAlternative = 10_000

    init(
        _ planned: any BudgetedOperator, alternatives: [AccessPath], budget: Int, at position: Int,
        _ builder: OperatorBuilder,
        _ context: ExecutionContext
    ) {
        self.planned = planned
        self.alternatives = alternatives
        self.builder = builder
        self.position = position
        self.budget = budget
        self.context = context
        planned.budget = budget
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        while let planned {
            if planned.budget > 0, try planned.next(&transaction) {
                delivered += 1
                return true
            }
            guard planned.budget <= 0 else { return false }
            try continueTrial(planned, &transaction)
        }
        return try sorted?.next(&transaction) ?? false
    }

    private func continueTrial(_ planned: any BudgetedOperator, _ transaction: inout Transaction) throws(EngineError) {
        if trial == nil { trial = try ScanTrial(alternatives, builder, &transaction) }
        if let winner = try trial?.step(to: trialSteps, &transaction) { return try change(to: winner, &transaction) }
        budget = max(2 * budget, 64)
        trialSteps += budget / AdaptiveOperator.documentCost
        planned.budget = trialSteps > AdaptiveOperator.longestAlternative ? .max : budget
    }

    private func change(to winner: AccessPath, _ transaction: inout Transaction) throws(EngineError) {
        planned = nil
        trial = nil
        context.decisions[position] = .sorted([winner])
        sorted = try builder.sorted([winner], position, &transaction)
        for _ in 0..<delivered { _ = try sorted?.next(&transaction) }
    }

    var current: any RowOperator {
        guard let rows = planned ?? sorted else { preconditionFailure("there is no current row") }
        return rows
    }
}
