// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// What a transaction reads and writes, to tell which transactions can be in each other's way.
package struct Footprint: Sendable {
    package private(set) var documents: Set<DocumentPath>
    private var scopes: ScopeSet

    package init(documents: Set<DocumentPath> = [], scopes: [DocumentScope] = []) {
        self.documents = documents
        self.scopes = ScopeSet(scopes)
    }

    /// The footprint of an attempt.
    package init(_ reads: ReadSet?, _ writes: [Write]) {
        documents = (reads?.documents ?? []).union(writes.map(\.path))
        scopes = reads?.allScopes ?? ScopeSet()
    }

    /// How much work it is to compare it: the number of documents and scopes.
    package var size: Int { documents.count + scopes.count }

    /// About how much memory it takes.
    package var byteCount: Int {
        documents.reduce(scopes.byteCount) { $0 + 100 + $1.id.utf8Count + $1.collection.resource.utf8Count }
    }

    /// Beyond so many bytes, has the collections of the documents in their place, or if need be everything.
    package mutating func widen(beyond limit: Int) {
        guard byteCount > limit else { return }
        for path in documents { scopes.insert(.collection(path.collection)) }
        documents = []
        if byteCount > limit { scopes = ScopeSet([.descendants(of: nil)]) }
    }

    /// Adds what another attempt of the transaction reads and writes.
    package mutating func formUnion(_ other: Footprint) {
        documents.formUnion(other.documents)
        scopes.formUnion(other.scopes)
    }

    /// Whether the two can be in each other's way. True also for two queries of one scope.
    package func overlaps(_ other: Footprint) -> Bool {
        !documents.isDisjoint(with: other.documents) || scopes.overlaps(other.scopes)
            || covers(other.documents) || other.covers(documents)
    }

    private func covers(_ paths: Set<DocumentPath>) -> Bool { scopes.containsAny(of: paths.lazy.map(\.collection)) }
}
