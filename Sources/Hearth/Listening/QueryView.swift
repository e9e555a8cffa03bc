// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import JSONText

/// The rows of a query, kept in order while documents change.
///
/// With a limit, the view knows only the rows up to the last one, the edge. A row that leaves, or moves behind the
/// edge, makes the view incomplete, unless other rows have entered before the edge (C-31).
struct QueryView {
    enum Outcome {
        case unchanged, changed
        /// Rows are missing at the end: the query must run again.
        case incomplete
    }

    private let target: ListenerTarget
    /// In the order of execution.
    private(set) var rows: [QueryDocumentSnapshot] = []
    /// The sort keys of the rows, ascending.
    private var keys: [[UInt8]] = []
    private var keyByPath: [DocumentPath: [UInt8]] = [:]

    init(_ target: ListenerTarget) {
        self.target = target
    }

    /// Replaces the rows with a result of the query. Rows that have not changed stay the same objects.
    ///
    /// - Returns: whether anything changed.
    mutating func replace(with records: [DocumentRecord]) -> Bool {
        let old = Dictionary(zip(rows.map(\.path), zip(rows, keys)), uniquingKeysWith: { first, _ in first })
        let oldRows = rows
        rows.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        keyByPath.removeAll(keepingCapacity: true)
        for record in records {
            let row = QueryDocumentSnapshot(target.firestore, record)
            if let (known, key) = old[row.path], known.content.updateTime == row.content.updateTime {
                append(known, key)
            } else {
                append(row, row.document.flatMap(target.sortKey) ?? [])
            }
        }
        return !rows.elementsEqual(oldRows, by: ===)
    }

    private mutating func append(_ row: QueryDocumentSnapshot, _ key: [UInt8]) {
        rows.append(row)
        keys.append(key)
        keyByPath[row.path] = key
    }

    /// Applies the changes of a commit, one per document.
    mutating func apply(_ changes: [DocumentEngine.DocumentChange]) -> Outcome {
        let edge = target.limit.flatMap { keys.count >= $0 ? keys.last : nil }
        var isChanged = false
        for change in changes {
            let oldKey = keyByPath[change.path]
            var newKey = change.new.flatMap(target.sortKey)
            if let edge, let key = newKey, compareBytes(key, edge) > 0 { newKey = nil }
            guard oldKey != nil || newKey != nil else { continue }
            isChanged = true
            if let oldKey { remove(oldKey, change.path) }
            if let newKey, let document = change.new { insert(document, newKey) }
        }
        guard let limit = target.limit else { return isChanged ? .changed : .unchanged }
        if edge != nil, keys.count < limit { return .incomplete }
        while keys.count > limit { removeLast() }
        return isChanged ? .changed : .unchanged
    }

    private mutating func insert(_ document: Document, _ key: [UInt8]) {
        let index = position(of: key)
        keys.insert(key, at: index)
        let record = DocumentRecord(document, database: target.database)
        rows.insert(QueryDocumentSnapshot(target.firestore, record), at: index)
        keyByPath[document.path] = key
    }

    private mutating func remove(_ key: [UInt8], _ path: DocumentPath) {
        let index = position(of: key)
        keys.remove(at: index)
        rows.remove(at: index)
        keyByPath[path] = nil
    }

    private mutating func removeLast() {
        keys.removeLast()
        keyByPath[rows.removeLast().path] = nil
    }

    /// The index of the row with the key, or where it would be inserted.
    private func position(of key: [UInt8]) -> Int {
        keys.indices.partitioningIndex { compareBytes(keys[$0], key) >= 0 }
    }
}

extension QueryDocumentSnapshot {
    /// A row always has a document.
    fileprivate var path: DocumentPath { content.path! }
}
