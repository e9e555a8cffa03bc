// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// The rows of production's access path, which may refuse many entries for each row; or, if another scan turns out to be
/// short while it does, that scan's documents, checked and sorted.
///
/// Work is shared out in turns, so that the whole is never more than a small multiple of the cheaper way.
final class AdaptiveSource: RowSource {
    /// Nil once a driver has won, and at the end.
    private var planned: RowSource?
    private var sorted: RowSource?
    private let drivers: [AccessPath]
    private var race: DriverRace?
    private let builder: SourceBuilder
    private let position: Int
    /// How many rows were delivered: they come in the same order by any way.
    private var delivered = 0
    /// How many entries the planned path may refuse before the next turn of the race.
    private var turn: Int
    private var driverSteps = AdaptiveSource.documentCost

    /// To read, check and sort a document costs about as much as so many steps along an index.
    private static let documentCost = 16
    /// A driver that is longer would hold too many documents in memory.
    private static let longestDriver = 10_000

    init(
        _ planned: RowSource, drivers: [AccessPath], patience: Int, at position: Int, _ builder: SourceBuilder,
        _ environment: SourceEnvironment
    ) {
        self.planned = planned
        self.drivers = drivers
        self.builder = builder
        self.position = position
        turn = patience
        super.init(environment)
        builder.execution.ways[position] = .planned
        planned.patience = patience
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        while let planned {
            if !planned.isPaused, try planned.next(&cursors) {
                delivered += 1
                return true
            }
            guard planned.isPaused else { return false }
            try takeTurn(planned, &cursors)
        }
        return try sorted?.next(&cursors) ?? false
    }

    @_lifetime(cursors: copy cursors)
    private func takeTurn(_ planned: RowSource, _ cursors: inout CursorSet) throws(EngineError) {
        if race == nil { race = try DriverRace(drivers, builder, &cursors) }
        if let winner = try race?.step(to: driverSteps, &cursors) { return try change(to: winner, &cursors) }
        turn = max(2 * turn, 64)
        driverSteps += turn / AdaptiveSource.documentCost
        planned.patience = driverSteps > AdaptiveSource.longestDriver ? .max : turn
    }

    @_lifetime(cursors: copy cursors)
    private func change(to winner: AccessPath, _ cursors: inout CursorSet) throws(EngineError) {
        planned = nil
        race = nil
        builder.execution.ways[position] = .sorted([winner])
        sorted = try builder.sorted([winner], position, &cursors)
        for _ in 0..<delivered { _ = try sorted?.next(&cursors) }
    }

    private var current: RowSource {
        guard let source = planned ?? sorted else { preconditionFailure("there is no current row") }
        return source
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try current.appendDocumentKey(to: &key, cursors)
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try current.path(cursors)
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try current.appendSortKey(to: &key, cursors)
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try current.number(at: path, cursors)
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        try current.collection(cursors)
    }

    override func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        try current.record(cursors)
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        try current.document(cursors)
    }
}
