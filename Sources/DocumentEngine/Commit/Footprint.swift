// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// What a transaction reads and writes, to tell which transactions can be in each other's way.
package struct Footprint: Sendable {
    package private(set) var documents: Set<DocumentPath>
    package private(set) var scopes: [DocumentScope]

    package init(documents: Set<DocumentPath> = [], scopes: [DocumentScope] = []) {
        self.documents = documents
        self.scopes = scopes
    }

    /// The footprint of an attempt.
    package init(_ reads: ReadSet?, _ writes: [Write]) {
        documents = (reads?.documents ?? []).union(writes.map(\.path))
        scopes = reads?.allScopes ?? []
    }

    /// Adds what another attempt of the transaction reads and writes.
    package mutating func formUnion(_ other: Footprint) {
        documents.formUnion(other.documents)
        scopes += other.scopes.filter { !scopes.contains($0) }
    }

    /// Whether the two can be in each other's way. True also for two queries of one scope.
    package func overlaps(_ other: Footprint) -> Bool {
        !documents.isDisjoint(with: other.documents) || covers(other.documents) || other.covers(documents)
            || scopes.contains { scope in other.scopes.contains { scope.overlaps($0) } }
    }

    private func covers(_ paths: Set<DocumentPath>) -> Bool {
        scopes.contains { scope in paths.contains { scope.contains($0.collection) } }
    }
}

extension DocumentScope {
    /// Whether two scopes may have a collection in common.
    fileprivate func overlaps(_ other: DocumentScope) -> Bool {
        switch (self, other) {
        case (.collection(let path), _): other.contains(path)
        case (_, .collection(let path)): contains(path)
        case (.collectionGroup(let group, _), .collectionGroup(let otherGroup, _)): group == otherGroup
        default: true
        }
    }
}
