// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import JSONText

/// The rows of a query, kept in order while documents change.
///
/// With a limit it knows only the rows up to its last one, the edge. Those behind it are unknown, so that a row that leaves
/// or moves behind the edge makes the view incomplete, unless others have come before the edge (C-31).
struct LiveView {
    enum Outcome {
        case unchanged, changed
        /// Rows are missing at the end: the query has to be run again.
        case incomplete
    }

    private let source: LiveSource
    /// In the order of execution.
    private(set) var rows: [QueryDocumentSnapshot] = []
    /// Of the rows, ascending.
    private var keys: [[UInt8]] = []
    private var keyByPath: [DocumentPath: [UInt8]] = [:]

    init(_ source: LiveSource) {
        self.source = source
    }

    /// Takes what the query found. Rows that have not changed stay the same objects.
    ///
    /// - Returns: whether anything changed.
    mutating func replace(with documents: [Document]) -> Bool {
        let known = Dictionary(rows.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let old = rows
        rows = documents.map { document in
            guard let row = known[document.path], row.document?.updateTime == document.updateTime else {
                return snapshot(of: document)
            }
            return row
        }
        keys = documents.map { source.sortKey($0) ?? [] }
        keyByPath = Dictionary(zip(documents.map(\.path), keys), uniquingKeysWith: { first, _ in first })
        return !rows.elementsEqual(old, by: ===)
    }

    /// Applies the changes of a commit, one of each document.
    mutating func apply(_ changes: [DocumentEngine.DocumentChange]) -> Outcome {
        let edge = source.limit.flatMap { keys.count >= $0 ? keys.last : nil }
        var isChanged = false
        for change in changes {
            let oldKey = keyByPath[change.path]
            var newKey = change.new.flatMap(source.sortKey)
            if let edge, let key = newKey, compareBytes(key, edge) > 0 { newKey = nil }
            guard oldKey != nil || newKey != nil else { continue }
            isChanged = true
            if let oldKey { remove(oldKey, change.path) }
            if let newKey, let document = change.new { insert(document, newKey) }
        }
        guard let limit = source.limit else { return isChanged ? .changed : .unchanged }
        if edge != nil, keys.count < limit { return .incomplete }
        while keys.count > limit { removeLast() }
        return isChanged ? .changed : .unchanged
    }

    private mutating func insert(_ document: Document, _ key: [UInt8]) {
        let index = position(of: key)
        keys.insert(key, at: index)
        rows.insert(snapshot(of: document), at: index)
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

    private func snapshot(of document: Document) -> QueryDocumentSnapshot {
        QueryDocumentSnapshot(DocumentReference(source.firestore, document.path), document)
    }

    /// Where the row with the key is, or would be.
    private func position(of key: [UInt8]) -> Int {
        keys.indices.partitioningIndex { compareBytes(keys[$0], key) >= 0 }
    }
}

extension QueryDocumentSnapshot {
    /// A row's path is one of this database.
    fileprivate var path: DocumentPath { document!.path }
}
