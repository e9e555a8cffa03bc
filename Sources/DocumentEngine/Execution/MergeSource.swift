// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The rows of several disjuncts in the query's order, each document once: an ordered k-way merge by sort keys.
///
/// Equal sort keys mean the same document, for they end with its name.
final class MergeSource: RowSource {
    private struct Input {
        let source: RowSource
        var key: [UInt8]
    }

    // An execution has one thread, and each use of an object's property would be checked for exclusive access.

    /// Those that still have rows.
    @exclusivity(unchecked) private var inputs: [Input]
    @exclusivity(unchecked) private var current = 0
    @exclusivity(unchecked) private var last: [UInt8] = []
    private var isPlaced = false

    init(_ sources: [RowSource], _ environment: SourceEnvironment) {
        inputs = sources.map { Input(source: $0, key: []) }
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if isPlaced {
            swap(&last, &inputs[current].key)
            try advance(current, &cursors)
        } else {
            isPlaced = true
            for index in inputs.indices.reversed() { try advance(index, &cursors) }
        }
        while !inputs.isEmpty {
            current = least()
            if last.isEmpty || inputs[current].key != last { return true }
            try advance(current, &cursors)
        }
        return false
    }

    private func least() -> Int {
        var least = 0
        for index in 1..<inputs.count where compareBytes(inputs[index].key, inputs[least].key) < 0 { least = index }
        return least
    }

    @_lifetime(cursors: copy cursors)
    private func advance(_ index: Int, _ cursors: inout CursorSet) throws(EngineError) {
        guard try inputs[index].source.next(&cursors) else {
            inputs.remove(at: index)
            return
        }
        inputs[index].key.removeAll(keepingCapacity: true)
        try inputs[index].source.appendSortKey(to: &inputs[index].key, cursors)
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try inputs[current].source.appendDocumentKey(to: &key, cursors)
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try inputs[current].source.path(cursors)
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        try inputs[current].source.collection(cursors)
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try inputs[current].source.number(at: path, cursors)
    }

    override func record(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentRecord? {
        try inputs[current].source.record(cursors)
    }

    override func document(_ cursors: borrowing CursorSet) throws(EngineError) -> Document? {
        try inputs[current].source.document(cursors)
    }
}
