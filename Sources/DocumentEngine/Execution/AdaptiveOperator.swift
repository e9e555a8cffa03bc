// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The rows of production's access path, which may reject many entries for each row; or, if another scan turns out to be
/// short while it does, that scan's documents, checked and sorted.
///
/// Work is shared out in turns, so that the whole is never more than a small multiple of the cheaper way.
final class AdaptiveOperator: DelegatingOperator {
    let context: ExecutionContext
    /// Nil once an alternative has won, and at the end.
    private var planned: (any BudgetedOperator)?
    private var sorted: (any RowOperator)?
    private let alternatives: [AccessPath]
    private var trial: ScanTrial?
    private let builder: OperatorBuilder
    private let position: Int
    /// How many rows were delivered: they come in the same order by any way.
    private var delivered = 0
    /// How many entries the planned path may reject before the next round of the trial.
    private var budget: Int
    private var trialSteps = AdaptiveOperator.documentCost

    /// To read, check and sort a document costs about as much as so many steps along an index.
    private static let documentCost = 16
    /// An alternative that is longer would hold too many documents in memory.
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
        builder.execution.ways[position] = .sorted([winner])
        sorted = try builder.sorted([winner], position, &transaction)
        for _ in 0..<delivered { _ = try sorted?.next(&transaction) }
    }

    var current: any RowOperator {
        guard let rows = planned ?? sorted else { preconditionFailure("there is no current row") }
        return rows
    }
}
