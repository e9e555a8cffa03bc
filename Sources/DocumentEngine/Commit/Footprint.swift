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

    /// How much memory it takes, and work to compare it: the number of documents and scopes.
    package var size: Int { documents.count + scopes.count }

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
