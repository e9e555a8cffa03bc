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
            if try reader.isAllowed(cursor.rest(cursors)) { return true }
        }
        return false
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try reader.appendDocumentKey(to: &key, suffix: cursor.rest(cursors), value: cursor.value(cursors))
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try reader.path(cursor.rest(cursors))
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        let suffix = cursor.rest(cursors)
        for part in sortKey {
            switch part {
            case .constant(let bytes): key += bytes
            case .suffix(let index): try reader.appendPart(index, of: suffix, to: &key)
            }
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        try reader.number(at: path, suffix: cursor.rest(cursors), value: cursor.value(cursors)) ?? nil
    }
}
