// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Rows that several indexes agree on (I-33, P-6), from a ``ZigZag``.
final class JoinSource: RowSource {
    private var zigZag: ZigZag
    private let sortKey: [SortKeyPart]

    init(
        _ members: [(RangeCursor, EntryReader)], _ sortKey: [SortKeyPart], _ environment: SourceEnvironment
    ) {
        zigZag = ZigZag(members, asProduction: environment.asProduction)
        self.sortKey = sortKey
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        defer { zigZag.count(in: &environment.counters) }
        while try zigZag.next(&cursors) {
            if !zigZag.hasConditions { return true }
            if try zigZag.isAllowed(cursors) { return true }
            patience -= 1
            if isPaused { return false }
        }
        return false
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try zigZag.first.cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try zigZag.first.reader.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try zigZag.first.cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try zigZag.first.reader.path(rest)
        }
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        if let collection = zigZag.first.reader.collection { return collection }
        return try path(cursors).collection
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try zigZag.first.cursor.withEntry(cursors) { (rest, _) throws(EngineError) in
            try zigZag.first.reader.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        for member in zigZag.members {
            let found = try member.cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
                try member.reader.number(at: path, suffix: rest, value: value)
            }
            if let found { return found }
        }
        return nil
    }
}
