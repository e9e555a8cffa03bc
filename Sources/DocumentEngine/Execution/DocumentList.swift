// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import LMDB
internal import QueryPlanner

/// A document of a list, or a missing parent.
package struct ListedDocument: Sendable {
    package let path: DocumentPath
    /// Nil for a missing parent.
    package let record: DocumentRecord?
}

/// A page of the documents of a scope in name order, with their missing parents, at the present or at a past time.
///
/// Reads at most a page of documents, and at most a page of the names that have collections below them.
struct DocumentList {
    private let scope: DocumentScope
    /// Names of the page are at or after it, as encoded paths.
    private let lower: [UInt8]
    private let limit: Int
    private let byteGoal: Int
    private let past: PastVersions?
    private let context: ExecutionContext

    /// - Parameter past: of ``DocumentScope/withDescendants``.
    init(
        _ scope: DocumentScope, after: DocumentPath?, limit: Int, byteGoal: Int, _ past: PastVersions?,
        _ context: ExecutionContext
    ) {
        self.scope = scope
        lower = after.map { KeyRange.successor(of: DocumentList.prefix($0.resource)) } ?? []
        self.limit = limit
        self.byteGoal = byteGoal
        self.past = past
        self.context = context
    }

    func read(_ transaction: inout Transaction) throws(EngineError) -> [ListedDocument] {
        var names: [[UInt8]: ListedDocument] = [:]
        for path in try parents(&transaction) {
            names[DocumentList.name(path)] = ListedDocument(path: path, record: nil)
        }
        for record in try documents(&transaction) {
            let path = try record.documentPath()
            names[DocumentList.name(path)] = ListedDocument(path: path, record: record)
        }
        let sorted = names.sorted { compareBytes($0.key.span.bytes, $1.key.span.bytes) < 0 }
        var listed: [ListedDocument] = []
        var bytes = 0
        // Current documents behind the one that reaches the goal may not have been read.
        for (_, item) in sorted where listed.count < limit && bytes < byteGoal {
            listed.append(item)
            bytes += item.record?.byteCount ?? 0
        }
        return listed
    }

    /// The name as a path, with its end mark.
    private static func name(_ path: DocumentPath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(path: path.resource)
        return encoder.bytes
    }

    /// The first documents.
    private func documents(_ transaction: inout Transaction) throws(EngineError) -> [DocumentRecord] {
        let changed = past?.existing.map(\.record) ?? []
        var records: [DocumentRecord] = []
        for record in changed where scope.contains(try record.collectionPath()) {
            let name = DocumentList.name(try record.documentPath())
            if compareBytes(name.span.bytes, lower.span.bytes) >= 0 { records.append(record) }
        }
        var (count, bytes) = (0, 0)
        var key: [UInt8] = []
        let rows = try OperatorBuilder.documents(currentScan, context, &transaction)
        while count < limit, bytes < byteGoal, let rows, try rows.next(&transaction) {
            key.removeAll(keepingCapacity: true)
            try rows.appendDocumentKey(to: &key, transaction)
            guard past?.versions[key] == nil else { continue }
            let record = try context.record(of: rows, transaction)
            records.append(record)
            count += 1
            bytes += record.byteCount
        }
        return records
    }

    private var currentScan: DocumentScan {
        var lower = lower
        // Names of one collection are IDs: what follows the collection in the path.
        if case .collection = scope { lower = Array(lower.dropFirst(scope.base.count)) }
        return DocumentScan(scope: scope, ranges: [KeyRange(lower: lower, upper: [])], backwards: false)
    }

    private static func prefix(_ path: ResourcePath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(segmentsOf: path)
        return encoder.bytes
    }

    /// The first names that have documents below them.
    private func parents(_ transaction: inout Transaction) throws(EngineError) -> [DocumentPath] {
        let base = scope.base
        let depth = scope.depth
        var list = try CollectionList(.descendants(of: scope.parent), backwards: false, &transaction)
        list.place(lower.isEmpty ? base : lower)
        var parents: [DocumentPath] = []
        while parents.count < limit, let item = try list.next(&transaction),
            startsWith(item.path.span.bytes, base.span.bytes)
        {
            let name = try CollectionList.prefix(item.path, depth)
            guard name.count < item.path.count, try !context.isEmpty(item, past, &transaction)
            else { continue }
            let segments = try CollectionPath(encoded: item.path).resource.segments
            parents.append(DocumentPath(ResourcePath(segments: Array(segments.prefix(depth)))))
            list.place(KeyRange.successor(of: name))
        }
        return parents
    }
}

extension ExecutionContext {
    /// Whether a collection has no documents.
    func isEmpty(
        _ item: CollectionList.Item, _ past: PastVersions?, _ transaction: inout Transaction
    ) throws(EngineError) -> Bool {
        let prefix = OrderedInteger.bytes(item.collectionID)
        if let past, past.collections.contains(prefix) { return false }
        var cursor = try RangeCursor(.documents, prefix: prefix, ranges: [.all], backwards: false, &transaction)
        var isEmpty = true
        while isEmpty, try cursor.next(&transaction) {
            let key = try cursor.withWholeEntry(transaction) { (key, _) in [UInt8](copying: key) }
            isEmpty = past?.versions[key] != nil
        }
        cursor.close(&transaction)
        return isEmpty
    }
}

extension DocumentScope {
    /// The documents of the scope and everything below them.
    var withDescendants: DocumentScope { .descendants(of: parent) }

    /// The document under which the scope is; nil for the root.
    fileprivate var parent: DocumentPath? {
        switch self {
        case .collection(let path): path.parent
        case .collectionGroup(_, let under): under
        case .children(let parent), .descendants(let parent): parent
        }
    }

    /// The encoded path with which all names begin, without its end mark.
    fileprivate var base: [UInt8] {
        var encoder = KeyEncoder()
        let path = if case .collection(let path) = self { path.resource } else { parent?.resource ?? .root }
        encoder.append(segmentsOf: path)
        return encoder.bytes
    }

    /// The number of segments of names in one collection or directly under a parent.
    fileprivate var depth: Int { (parent?.resource.count ?? 0) + 2 }
}
