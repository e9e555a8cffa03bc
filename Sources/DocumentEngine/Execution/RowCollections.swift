// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The collections of rows that come from several, each as its number and its encoded path without the end mark.
///
/// An index entry in group scope has the name in its key, the number in its value, and no checksum. In a damaged file the two may
/// be of different collections, so rows are verified before they are used.
struct RowCollections {
    private struct Row {
        let collectionID: UInt64
        let end: Int
    }

    /// The paths, one behind the other.
    private var paths: [UInt8] = []
    private var rows: [Row] = []

    init(capacity: Int) {
        rows.reserveCapacity(capacity)
        paths.reserveCapacity(capacity * 32)
    }

    /// Of all paths.
    var byteCount: Int { paths.count }

    /// Appends the collection of the next row.
    mutating func append(_ path: RawSpan, complemented: Bool, _ collectionID: UInt64) {
        paths.append(copying: path, complemented: complemented)
        rows.append(Row(collectionID: collectionID, end: paths.count))
    }

    mutating func removeAll() {
        paths.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
    }

    private func range(_ row: Int) -> Range<Int> { (row == 0 ? 0 : rows[row - 1].end)..<rows[row].end }

    @_lifetime(borrow self)
    func path(of row: Int) -> RawSpan { paths.span.bytes.extracting(range(row)) }

    func collection(of row: Int) throws(EngineError) -> CollectionPath {
        try CollectionPath(encoded: Array(paths[range(row)]))
    }

    /// Throws unless each row's number is that of its path. Collections that were not verified before are looked up together.
    func verify(_ ids: IDTable, _ transaction: borrowing Transaction) throws(EngineError) {
        let unverified = ids.withVerified { verified in
            rows.indices.filter { !verified.contains(rows[$0].collectionID, path: path(of: $0)) }
        }
        guard !unverified.isEmpty else { return }
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
        ids.withVerified { verified in
            for row in unverified { verified.insert(rows[row].collectionID, path: path(of: row)) }
        }
    }
}

extension EngineError {
    static func differentCollections(_ path: CollectionPath) -> EngineError {
        .damaged("an index entry has a name in \(path) and the number of another collection")
    }
}
