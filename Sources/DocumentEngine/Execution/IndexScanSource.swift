// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

/// Rows from one index.
final class IndexScanSource: RowSource {
    // An execution has one thread, and each use of an object's property would be checked for exclusive access.
    @exclusivity(unchecked) private var cursor: RangeCursor
    private let reader: EntryReader
    private let sortKey: [SortKeyPart]
    private var isPlaced = false
    /// The field asked for last: every row is asked for the same.
    private var lastNumber: (path: FieldPath, place: EntryReader.NumberPlace?)?
    /// How many entries in a row have been refused.
    private var refusals = 0
    /// So many steps cost what a seek costs.
    private static let longRun = 8

    init(_ cursor: RangeCursor, _ reader: EntryReader, _ sortKey: [SortKeyPart], _ environment: SourceEnvironment) {
        self.cursor = cursor
        self.reader = reader
        self.sortKey = sortKey
        super.init(environment)
    }

    @_lifetime(cursors: copy cursors)
    override func next(_ cursors: inout CursorSet) throws(EngineError) -> Bool {
        countFirstSeek()
        var found = try cursor.next(&cursors)
        while found {
            environment.counters.entriesScanned += 1
            guard reader.hasConditions else { return true }
            let next = try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try reader.nextAllowed(rest) }
            guard let next else {
                refusals = 0
                return true
            }
            refusals += 1
            patience -= 1
            if isPaused { return false }
            found = try leave(for: next, &cursors)
        }
        return false
    }

    @_lifetime(cursors: copy cursors)
    override func skip(atMost limit: Int, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        guard !reader.hasConditions else { return try super.skip(atMost: limit, &cursors) }
        countFirstSeek()
        let count = try cursor.skip(atMost: limit, &cursors)
        environment.counters.entriesScanned += count
        return count
    }

    /// The first step is a seek.
    private func countFirstSeek() {
        if !isPlaced { environment.counters.seeks += 1 }
        isPlaced = true
    }

    /// Past a refused entry: by a step, or out of a run of them by a seek.
    @_lifetime(cursors: copy cursors)
    private func leave(for next: [UInt8], _ cursors: inout CursorSet) throws(EngineError) -> Bool {
        guard refusals % IndexScanSource.longRun == 0, !environment.asProduction else {
            return try cursor.next(&cursors)
        }
        environment.counters.seeks += 1
        return try cursor.skip(to: next, &cursors)
    }

    override func appendDocumentKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try reader.appendDocumentKey(to: &key, suffix: rest, value: value)
        }
    }

    override func path(_ cursors: borrowing CursorSet) throws(EngineError) -> DocumentPath {
        try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in try reader.path(rest) }
    }

    override func collection(_ cursors: borrowing CursorSet) throws(EngineError) -> CollectionPath {
        if let collection = reader.collection { return collection }
        return try path(cursors).collection
    }

    override func appendSortKey(to key: inout [UInt8], _ cursors: borrowing CursorSet) throws(EngineError) {
        try cursor.withEntry(cursors) { (rest, _) throws(EngineError) in
            try reader.appendSortKey(sortKey, suffix: rest, to: &key)
        }
    }

    override func number(at path: FieldPath, _ cursors: borrowing CursorSet) throws(EngineError) -> Value? {
        if lastNumber?.path != path { lastNumber = (path, try reader.numberPlace(of: path)) }
        guard let place = lastNumber?.place else { return nil }
        return try cursor.withEntry(cursors) { (rest, value) throws(EngineError) in
            try reader.number(at: place, suffix: rest, value: value)
        }
    }

    @_lifetime(cursors: copy cursors)
    override func addNumbers(
        at path: FieldPath, to sum: inout NumberSum, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        guard !reader.hasConditions, let place = try reader.numberPlace(of: path) else {
            return try super.addNumbers(at: path, to: &sum, &cursors)
        }
        countFirstSeek()
        let count = try cursor.visit(atMost: .max, &cursors) { (rest, value, _) throws(EngineError) in
            sum.add(try reader.number(at: place, suffix: rest, value: value))
        }
        environment.counters.entriesScanned += count
        return count
    }

    @_lifetime(cursors: copy cursors)
    override func addRows(
        atMost limit: Int, to documents: inout RecordReader, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        guard !reader.hasConditions, let collection = reader.collection else {
            return try super.addRows(atMost: limit, to: &documents, &cursors)
        }
        countFirstSeek()
        documents.enter(collection)
        let count = try cursor.visit(atMost: limit, &cursors) { (rest, value, cursors) throws(EngineError) in
            try reader.appendDocumentKey(to: &documents.batch.keys, suffix: rest, value: value)
            try documents.endRow(cursors)
        }
        environment.counters.entriesScanned += count
        return count
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
