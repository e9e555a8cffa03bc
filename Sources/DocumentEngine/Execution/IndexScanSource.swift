// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Rows from one index.
final class IndexScanSource: RowSource {
    private var cursor: RangeCursor
    private let reader: EntryReader
    private let sortKey: [SortKeyPart]
    private var isPlaced = false

    init(_ cursor: RangeCursor, _ reader: EntryReader, _ sortKey: [SortKeyPart], _ environment: SourceEnvironment) {
        self.cursor = cursor
        self.reader = reader
        self.sortKey = sortKey
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        if !isPlaced { environment.counters.seeks += 1 }
        isPlaced = true
        while try cursor.next(&cursors) {
            environment.counters.entriesScanned += 1
            if !reader.hasConditions { return true }
            let isAllowed = try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try reader.isAllowed(rest)
            }
            if isAllowed { return true }
        }
        return false
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try reader.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try reader.path(rest) }
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in
            try reader.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try reader.number(at: path, suffix: rest, value: value) ?? nil
        }
    }

    override func vector(
        at path: FieldPath, dimension: Int, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> [Double]? {
        try cursor.withEntry(cursors) { (_, value) throws(EngineError) in
            var offset = 0
            if reader.isGroup { _ = try OrderedInteger.read(value, &offset) }
            guard value.byteCount - offset == 8 * dimension else {
                throw .damaged("a vector's entry has another length")
            }
            return EntryValue.vector(value, at: offset, dimension)
        }
    }
}
