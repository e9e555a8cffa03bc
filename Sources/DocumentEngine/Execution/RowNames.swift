// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The names of rows that come from several collections, each with its collection's number.
///
/// An index entry in group scope has the name in its key, the number in its value, and no checksum. In a damaged file the two may
/// be of different collections, so rows are verified before they are used.
struct RowNames {
    private struct Row {
        let collectionID: UInt64
        /// Where the name ends, with its mark.
        let end: Int
        /// How much of the name is the path of the collection; 0 until that is known.
        var pathLength = 0
    }

    /// Encoded paths of documents with their marks, one behind the other. What follows a verified collection's path is looked up as
    /// it is, so that it need not be one segment.
    private var bytes: [UInt8] = []
    private var rows: [Row] = []

    init(capacity: Int) {
        rows.reserveCapacity(capacity)
        bytes.reserveCapacity(capacity * 48)
    }

    var count: Int { rows.count }

    /// Of all names.
    var byteCount: Int { bytes.count }

    /// Appends the name of the next row.
    mutating func append(_ name: RawSpan, complemented: Bool, _ collectionID: UInt64) {
        bytes.append(copying: name, complemented: complemented)
        rows.append(Row(collectionID: collectionID, end: bytes.count))
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
    }

    @_lifetime(borrow self)
    private func name(of row: Int) -> RawSpan {
        bytes.span.bytes.extracting((row == 0 ? 0 : rows[row - 1].end)..<rows[row].end)
    }

    // MARK: - Of rows that are verified

    /// The collection's path without its end mark; empty if there are no names.
    @_lifetime(borrow self)
    func path(of row: Int) -> RawSpan {
        row < rows.count ? name(of: row).extracting(0..<rows[row].pathLength) : RawSpan()
    }

    /// - Throws: if a collection's path was found at the start of a longer name, which is damage.
    func collection(of row: Int) throws(EngineError) -> CollectionPath {
        let start = try idStart(of: row)
        let path = try CollectionPath(encoded: [UInt8](copying: name(of: row).extracting(0..<start)))
        guard start == rows[row].pathLength else { throw .differentCollections(path) }
        return path
    }

    private func idStart(of row: Int) throws(EngineError) -> Int {
        guard let (start, count) = KeyReader.lastSegment(of: name(of: row), descending: false), count % 2 == 0 else {
            throw .namesNoDocument
        }
        return start
    }

    /// Appends the keys of the rows' documents.
    func appendKeys(to batch: inout LookupBatch) {
        for row in rows.indices {
            precondition(rows[row].pathLength > 0, "a row's name is verified before it is used")
            let name = name(of: row)
            let id = name.extracting(rows[row].pathLength..<name.byteCount - 1)
            batch.append(OrderedInteger.Encoding(rows[row].collectionID).bytes, id, complemented: false)
        }
    }

    /// Throws unless each row's number is that of the collection in its name. Collections that were not verified before are looked
    /// up together.
    mutating func verify(_ ids: IDTable, _ transaction: borrowing Transaction) throws(EngineError) {
        let unverified = try ids.withVerified(transaction) { verified in
            rows.indices.filter { row in
                let length = verified.pathLength(of: rows[row].collectionID, in: name(of: row))
                // An ID and the end mark must follow.
                guard let length, length + 1 < name(of: row).byteCount else { return true }
                rows[row].pathLength = length
                return false
            }
        }
        guard !unverified.isEmpty else { return }
        for row in unverified { rows[row].pathLength = try idStart(of: row) }
        try lookUp(unverified, ids, transaction)
    }

    private func lookUp(
        _ unverified: [Int], _ ids: IDTable, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        var batch = LookupBatch(count: unverified.count)
        for row in unverified {
            let key = CatalogKey.collection(encoded: path(of: row))
            batch.append(RawSpan(), key.span.bytes, complemented: false)
        }
        transaction.find(&batch, in: .catalog)
        for (index, row) in unverified.enumerated() {
            let stored = try transaction.value(index, of: batch, in: .catalog)
            guard let stored,
                try CollectionRecord.collectionID(in: stored, key: batch.key(index)) == rows[row].collectionID
            else {
                throw .differentCollections(try collection(of: row))
            }
        }
        try ids.withVerified(transaction) { verified in
            for row in unverified { verified.insert(rows[row].collectionID, path: path(of: row)) }
        }
    }
}

extension EngineError {
    static var namesNoDocument: EngineError { .damaged("an index entry names no document") }

    static func differentCollections(_ path: CollectionPath) -> EngineError {
        .damaged("an index entry has a name in \(path) and the number of another collection")
    }
}
