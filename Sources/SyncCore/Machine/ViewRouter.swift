// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Finds the queries of which a document may be a row, so that a change is not compared with every view.
struct ViewRouter {
    /// A query with an identity, by which the index knows it.
    private final class Entry: Sendable {
        let query: SyncQuery

        init(_ query: SyncQuery) { self.query = query }
    }

    private var index = ListenerIndex()
    private var entries: [SyncQuery: Entry] = [:]
    private var queries: [ObjectIdentifier: SyncQuery] = [:]

    mutating func insert(_ query: SyncQuery) {
        let entry = Entry(query)
        entries[query] = entry
        queries[ObjectIdentifier(entry)] = query
        index.insert(ObjectIdentifier(entry), query.interest)
    }

    mutating func remove(_ query: SyncQuery) {
        guard let entry = entries.removeValue(forKey: query) else { return }
        queries[ObjectIdentifier(entry)] = nil
        index.remove(ObjectIdentifier(entry), query.interest)
    }

    func queries(for document: SyncDocument) -> Set<SyncQuery> {
        var search = ListenerSearch(stopsAtFirst: false)
        index.visit(document.path, nil, document.found, &search)
        return Set(search.found.compactMap { queries[$0] })
    }
}

extension SyncQuery {
    fileprivate var interest: ListenerInterest {
        switch kind {
        case .document(let path): .documents([path])
        case .rows(let matcher): ListenerInterest(matcher.query)
        }
    }
}
