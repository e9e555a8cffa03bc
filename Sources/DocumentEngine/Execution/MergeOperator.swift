// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The rows of several disjuncts in the query's order, each document once: a k-way merge by sort keys.
///
/// Equal sort keys belong to the same document, because they end with its name.
final class MergeOperator: DelegatingOperator {
    let context: ExecutionContext
    private struct Input {
        let rows: any RowOperator
        var key: [UInt8]
    }

    // Unchecked, because an execution has one thread, and checks for exclusive access would slow every row.

    /// The inputs that still have rows.
    @exclusivity(unchecked) private var inputs: [Input]
    @exclusivity(unchecked) private var least = 0
    @exclusivity(unchecked) private var last: [UInt8] = []
    private var isPlaced = false

    init(_ inputs: [any RowOperator], _ context: ExecutionContext) {
        self.inputs = inputs.map { Input(rows: $0, key: []) }
        self.context = context
    }

    func next(_ transaction: inout Transaction) throws(EngineError) -> Bool {
        if isPlaced {
            swap(&last, &inputs[least].key)
            try advance(least, &transaction)
        } else {
            isPlaced = true
            for index in inputs.indices.reversed() { try advance(index, &transaction) }
        }
        while !inputs.isEmpty {
            least = findLeast()
            if last.isEmpty || inputs[least].key != last { return true }
            try advance(least, &transaction)
        }
        return false
    }

    private func findLeast() -> Int {
        var least = 0
        for index in 1..<inputs.count where compareBytes(inputs[index].key, inputs[least].key) < 0 { least = index }
        return least
    }

    private func advance(_ index: Int, _ transaction: inout Transaction) throws(EngineError) {
        guard try inputs[index].rows.next(&transaction) else {
            inputs.remove(at: index)
            return
        }
        inputs[index].key.removeAll(keepingCapacity: true)
        try inputs[index].rows.appendSortKey(to: &inputs[index].key, transaction)
    }

    var current: any RowOperator { inputs[least].rows }
}
