// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The rows of production's access path, which may refuse many entries for each row; or, if another scan turns out to be
/// short while it does, that scan's documents, checked and sorted.
///
/// Work is shared out in turns, so that the whole is never more than a small multiple of the cheaper way.
final class AdaptiveOperator: DelegatingOperator {
    let context: ExecutionContext
    /// Nil once a driver has won, and at the end.
    private var planned: (any BudgetedOperator)?
    private var sorted: (any RowOperator)?
    private let drivers: [AccessPath]
    private var race: DriverRace?
    private let builder: OperatorBuilder
    private let position: Int
    /// How many rows were delivered: they come in the same order by any way.
    private var delivered = 0
    /// How many entries the planned path may refuse before the next turn of the race.
    private var turn: Int
    private var driverSteps = AdaptiveOperator.documentCost

    /// To read, check and sort a document costs about as much as so many steps along an index.
    private static let documentCost = 16
    /// A driver that is longer would hold too many documents in memory.
    private static let longestDriver = 10_000

    init(
        _ planned: any BudgetedOperator, drivers: [AccessPath], patience: Int, at position: Int,
        _ builder: OperatorBuilder,
        _ context: ExecutionContext
    ) {
        self.planned = planned
        self.drivers = drivers
        self.builder = builder
        self.position = position
        turn = patience
        self.context = context
        planned.budget = patience
    }

    func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while let planned {
            if planned.budget > 0, try planned.next(&cursors) {
                delivered += 1
                return true
            }
            guard planned.budget <= 0 else { return false }
            try takeTurn(planned, &cursors)
        }
        return try sorted?.next(&cursors) ?? false
    }

    private func takeTurn(_ planned: any BudgetedOperator, _ cursors: inout CursorSet) throws(EngineError) {
        if race == nil { race = try DriverRace(drivers, builder, &cursors) }
        if let winner = try race?.step(to: driverSteps, &cursors) { return try change(to: winner, &cursors) }
        turn = max(2 * turn, 64)
        driverSteps += turn / AdaptiveOperator.documentCost
        planned.budget = driverSteps > AdaptiveOperator.longestDriver ? .max : turn
    }

    private func change(to winner: AccessPath, _ cursors: inout CursorSet) throws(EngineError) {
        planned = nil
        race = nil
        context.decisions[position] = .sorted([winner])
        sorted = try builder.sorted([winner], position, &cursors)
        for _ in 0..<delivered { _ = try sorted?.next(&cursors) }
    }

    var current: any RowOperator {
        guard let rows = planned ?? sorted else { preconditionFailure("there is no current row") }
        return rows
    }
}
