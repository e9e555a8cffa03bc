// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

/// What a transaction has read, all of it at one time. A commit with it succeeds only if the same reads would give the same results
/// when it commits.
package struct ReadSet: Sendable {
    /// The time of all reads.
    package let time: Timestamp
    /// The database's incarnation at that time; see ``Engine/incarnation()``.
    package let incarnation: UInt64
    private(set) var documents: Set<DocumentPath> = []
    private var queriesByScope: [DocumentScope: [ReadQuery]] = [:]
    /// Where documents may not appear or disappear.
    private(set) var names = ScopeSet()
    private(set) var scopes = ScopeSet()

    init(at time: Timestamp, incarnation: UInt64) {
        self.time = time
        self.incarnation = incarnation
    }

    /// The document at a path was read, or found missing.
    package mutating func add(_ path: DocumentPath) { documents.insert(path) }

    /// The names of the documents below a document were read, nil for the root: a list of collections or of missing parents. Only
    /// documents that appear or disappear change it.
    package mutating func addNames(below parent: DocumentPath?) { names.insert(.descendants(of: parent)) }

    /// All documents of a scope were read, or may have been. Any change of one of them matters.
    package mutating func addDocuments(in scope: DocumentScope) { scopes.insert(scope) }

    mutating func add(_ query: ReadQuery) {
        queriesByScope[query.matcher.query.scope, default: []].append(query)
    }

    /// Where documents matter that were not read by their names.
    var allScopes: ScopeSet {
        var all = ScopeSet(queriesByScope.keys)
        all.formUnion(names)
        all.formUnion(scopes)
        return all
    }

    /// The queries in whose scopes a collection is. Nothing is copied: there may be thousands.
    func queries(over path: CollectionPath) -> some Sequence<ReadQuery> {
        let scopes = queriesByScope.isEmpty ? [] : DocumentScope.containing(path)
        return scopes.compactMap { queriesByScope[$0] }.joined()
    }
}

/// A query of a transaction.
struct ReadQuery: Sendable {
    let matcher: DocumentMatcher
    /// The sort key of the last row if there may be rows beyond it. Documents behind it do not matter.
    let reach: [UInt8]?
    /// Whether only the number of rows matters, and not their fields.
    let counts: Bool
}
