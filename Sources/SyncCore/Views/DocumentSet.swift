// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Documents in the order in which a query finds them.
package struct DocumentSet: Sendable {
    private struct Row: Sendable {
        let key: [UInt8]
        let path: DocumentPath
    }

    private struct Change: Sendable {
        let row: Row
        let isThere: Bool
    }

    private var rows: [Row] = []
    private var documents: [DocumentPath: (key: [UInt8], document: SyncDocument)] = [:]
    /// What ``settle()`` has yet to do to the rows, in this order.
    private var changes: [Change] = []
    /// How many rows were moved to keep them in order.
    private(set) var moves = 0
    /// So many changes each move the rows behind them. More are merged with all rows.
    private static let fewChanges = 16

    package init() {}

    package var count: Int { documents.count }
    package var isEmpty: Bool { documents.isEmpty }
    package var paths: [DocumentPath] { settled.map(\.path) }
    package var ordered: [SyncDocument] { settled.map { documents[$0.path]!.document } }

    package subscript(path: DocumentPath) -> SyncDocument? { documents[path]?.document }

    var last: SyncDocument? { settled.last.flatMap { documents[$0.path]?.document } }
    var lastKey: [UInt8]? { settled.last?.key }

    private var settled: [Row] {
        precondition(changes.isEmpty, "Rows are read in order only after settle().")
        return rows
    }

    mutating func insert(_ document: SyncDocument, key: [UInt8]) {
        if let old = documents[document.path] {
            guard old.key != key else {
                documents[document.path] = (key, document)
                return
            }
            remove(document.path)
        }
        changes.append(Change(row: Row(key: key, path: document.path), isThere: true))
        documents[document.path] = (key, document)
    }

    mutating func remove(_ path: DocumentPath) {
        guard let old = documents.removeValue(forKey: path) else { return }
        changes.append(Change(row: Row(key: old.key, path: path), isThere: false))
    }

    /// Puts the rows in order after insertions and removals.
    mutating func settle() {
        if changes.count <= DocumentSet.fewChanges {
            for change in changes { apply(change) }
        } else {
            merge()
        }
        changes = []
    }

    private mutating func apply(_ change: Change) {
        let index = index(of: change.row.key)
        if change.isThere { rows.insert(change.row, at: index) } else { rows.remove(at: index) }
        moves += rows.count - index
    }

    private mutating func merge() {
        let ordered = changes.enumerated().sorted { left, right in
            let keys = (left.element.row.key, right.element.row.key)
            return keys.0 == keys.1 ? left.offset < right.offset : keys.0.lexicographicallyPrecedes(keys.1)
        }.map(\.element)
        var merged: [Row] = []
        merged.reserveCapacity(documents.count)
        var rest = rows[...]
        for (index, change) in ordered.enumerated() {
            let key = change.row.key
            // A row may come and go. The last change counts.
            guard index + 1 == ordered.count || ordered[index + 1].row.key != key else { continue }
            let before = rest.prefix { $0.key.lexicographicallyPrecedes(key) }
            merged += before
            rest = rest.dropFirst(before.count)
            if rest.first?.key == key { rest = rest.dropFirst() }
            if change.isThere { merged.append(change.row) }
        }
        rows = merged + rest
        moves += rows.count
    }

    /// The first place whose key is not smaller. Different documents have different keys.
    private func index(of key: [UInt8]) -> Int {
        var bounds = 0..<rows.count
        while !bounds.isEmpty {
            let middle = bounds.lowerBound + bounds.count / 2
            if rows[middle].key.lexicographicallyPrecedes(key) {
                bounds = middle + 1..<bounds.upperBound
            } else {
                bounds = bounds.lowerBound..<middle
            }
        }
        return bounds.lowerBound
    }
}
