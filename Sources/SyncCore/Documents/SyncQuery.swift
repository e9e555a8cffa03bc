// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
internal import IndexCatalog
internal import JSONText
package import QueryPlanner

/// A query that can be listened to: one document, or rows of collections.
///
/// Two queries are equal if they ask for the same rows in the same order.
package struct SyncQuery: Sendable {
    package enum Kind: Sendable {
        case document(DocumentPath)
        case rows(DocumentMatcher)
    }

    package let kind: Kind
    package let canonicalID: String
    /// What the server is asked for.
    package let target: SyncTarget

    package init(document path: DocumentPath) {
        kind = .document(path)
        target = SyncTarget(document: path)
        canonicalID = target.canonicalID
    }

    /// - Throws: the errors of ``QueryValidator``; and for an offset, a projection or a vector search, which have no
    ///   listeners.
    package init(_ query: Query, database: DatabaseID) throws(InvalidQueryError) {
        guard query.offset == 0, query.projection == nil, query.nearest == nil else {
            throw InvalidQueryError("A query with an offset, a projection or a vector search cannot be listened to.")
        }
        let normalized = try Normalizer.normalize(query, database: database)
        kind = .rows(DocumentMatcher(normalized))
        target = SyncTarget(normalized, database: database)
        canonicalID = (query.limitToLast ? "last:" : "") + target.canonicalID
    }

    /// The greatest number of rows.
    package var limit: Int? {
        if case .rows(let matcher) = kind { matcher.query.limit } else { nil }
    }

    /// Whether rows are held in the reverse of the order in which the program sees them, so that a limit always cuts the
    /// end.
    package var reversesRows: Bool {
        if case .rows(let matcher) = kind { matcher.query.reversesRows } else { false }
    }

    /// The document's place among the rows; nil if it is none.
    package func sortKey(of document: SyncDocument) -> [UInt8]? {
        guard let found = document.found else { return nil }
        switch kind {
        case .document(let path): return path == document.path ? [] : nil
        case .rows(let matcher):
            return matcher.query.scope.contains(document.path) ? matcher.sortKey(of: found) : nil
        }
    }
}

extension SyncQuery: Hashable {
    package static func == (lhs: SyncQuery, rhs: SyncQuery) -> Bool { lhs.canonicalID == rhs.canonicalID }

    package func hash(into hasher: inout Hasher) { hasher.combine(canonicalID) }
}

/// What a listen asks the server for. It has no limit to the last rows: the order is reversed instead.
package struct SyncTarget: Sendable, Hashable {
    package enum Kind: Sendable {
        case document(DocumentPath)
        case query(Query)
        /// The documents of a bundle, which only the replica knows as a target.
        case bundle(String)
    }

    package let kind: Kind
    /// The same for equal targets, and never for different ones.
    package let canonicalID: String

    package init(document path: DocumentPath) {
        kind = .document(path)
        canonicalID = "document:\(path)"
    }

    /// A target that was stored with its ``canonicalID``.
    package init(_ kind: Kind, canonicalID: String) {
        self.kind = kind
        self.canonicalID = canonicalID
    }

    init(bundle id: String) {
        kind = .bundle(id)
        canonicalID = "bundle:\(id)"
    }

    fileprivate init(_ normalized: NormalizedQuery, database: DatabaseID) {
        var query = normalized.query
        query.orders = normalized.orders
        query.hint = nil
        if query.limitToLast {
            query.limitToLast = false
            (query.start, query.end) = (query.end?.otherSide, query.start?.otherSide)
        }
        kind = .query(query)
        var writer = JSONWriter()
        QueryJSON.write(.documents(query), to: &writer, database: database)
        canonicalID = String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The document of a target that asks for one.
    package var document: DocumentPath? {
        if case .document(let path) = kind { path } else { nil }
    }

    package static func == (lhs: SyncTarget, rhs: SyncTarget) -> Bool { lhs.canonicalID == rhs.canonicalID }

    package func hash(into hasher: inout Hasher) { hasher.combine(canonicalID) }
}

extension Cursor {
    /// The same position where the order runs backwards.
    fileprivate var otherSide: Cursor { Cursor(values, before: !before) }
}

extension DocumentScope {
    func contains(_ path: DocumentPath) -> Bool {
        let parent = path.collection.parent?.resource ?? .root
        return switch self {
        case .collection(let collection): path.collection == collection
        case .collectionGroup(let id, let root):
            path.collection.group == id && (root?.resource ?? .root).isPrefix(of: parent)
        case .children(let root): parent == (root?.resource ?? .root)
        case .descendants(let root): (root?.resource ?? .root).isPrefix(of: parent)
        }
    }
}
