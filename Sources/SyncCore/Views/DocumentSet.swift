// SPDX-License-Identifier: Apache-2.0

package import DocumentModel

/// Documents in the order in which a query finds them.
package struct DocumentSet: Sendable {
    private struct Row: Sendable {
        let key: [UInt8]
        let path: DocumentPath
    }

    private var rows: [Row] = []
    private var documents: [DocumentPath: (key: [UInt8], document: SyncDocument)] = [:]

    package init() {}

    package var count: Int { rows.count }
    package var isEmpty: Bool { rows.isEmpty }
    package var paths: [DocumentPath] { rows.map(\.path) }
    package var ordered: [SyncDocument] { rows.map { documents[$0.path]!.document } }

    package subscript(path: DocumentPath) -> SyncDocument? { documents[path]?.document }

    var last: SyncDocument? { rows.last.flatMap { documents[$0.path]?.document } }
    var lastKey: [UInt8]? { rows.last?.key }

    mutating func insert(_ document: SyncDocument, key: [UInt8]) {
        if let old = documents[document.path] {
            guard old.key != key else {
                documents[document.path] = (key, document)
                return
            }
            remove(document.path)
        }
        rows.insert(Row(key: key, path: document.path), at: index(of: key))
        documents[document.path] = (key, document)
    }

    mutating func remove(_ path: DocumentPath) {
        guard let old = documents.removeValue(forKey: path) else { return }
        rows.remove(at: index(of: old.key))
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
