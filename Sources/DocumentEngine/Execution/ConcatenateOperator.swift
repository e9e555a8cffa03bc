// SPDX-License-Identifier: Apache-2.0

/// The rows of several disjuncts one after another. Opens each when its turn comes.
final class ConcatenateOperator: DelegatingOperator {
    let context: ExecutionContext
    private let builder: OperatorBuilder
    private let positions: [Int]
    private var opened = 0
    private var input: (any RowOperator)?

    init(_ positions: [Int], _ builder: OperatorBuilder, _ context: ExecutionContext) {
        self.positions = positions
        self.builder = builder
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        while true {
            if let input, try input.next(&transaction) { return true }
            guard opened < positions.count else { return false }
            opened += 1
            input = try builder.rows(positions[opened - 1], &transaction)
        }
    }

    func skip(atMost limit: Int, _ transaction: inout Transaction) throws(EngineError) -> Int {
        var count = 0
        while true {
            if let input { count += try input.skip(atMost: limit - count, &transaction) }
            guard count < limit, opened < positions.count else { return count }
            opened += 1
            input = try builder.rows(positions[opened - 1], &transaction)
        }
    }

    func emit(
        atMost limit: Int, into reader: inout RecordReader, _ transaction: inout Transaction
    ) throws(EngineError) -> Int {
        var count = 0
        while true {
            if let input { count += try input.emit(atMost: limit - count, into: &reader, &transaction) }
            guard count < limit, opened < positions.count else { return count }
            opened += 1
            input = try builder.rows(positions[opened - 1], &transaction)
        }
    }

    var current: any RowOperator {
        guard let input else { preconditionFailure("there is no current row") }
        return input
    }
}
