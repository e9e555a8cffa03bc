// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// Scopes of documents. A transaction may have read thousands of them, and of documents: nothing here compares them in pairs.
struct ScopeSet: Sendable {
    private var collections: Set<CollectionPath> = []
    /// Those that may have several collections.
    private var wider: Set<DocumentScope> = []
    /// The IDs of collection groups among them.
    private var groups: Set<Text> = []
    /// Whether collections of any ID are in one of them.
    private var hasTrees = false

    init(_ scopes: some Sequence<DocumentScope> = []) {
        for scope in scopes { insert(scope) }
    }

    var count: Int { collections.count + wider.count }

    /// About how much memory they take.
    var byteCount: Int {
        wider.reduce(collections.reduce(0) { $0 + 100 + $1.resource.utf8Count }) { $0 + 200 + $1.utf8Count }
    }

    var isEmpty: Bool { collections.isEmpty && wider.isEmpty }

    mutating func insert(_ scope: DocumentScope) {
        switch scope {
        case .collection(let path):
            collections.insert(path)
            return
        case .collectionGroup(let group, _): groups.insert(group)
        case .children, .descendants: hasTrees = true
        }
        wider.insert(scope)
    }

    mutating func formUnion(_ other: ScopeSet) {
        collections.formUnion(other.collections)
        wider.formUnion(other.wider)
        groups.formUnion(other.groups)
        hasTrees = hasTrees || other.hasTrees
    }

    /// Whether one of the scopes contains the documents of a collection.
    func contains(_ path: CollectionPath) -> Bool {
        if collections.contains(path) { return true }
        guard wider.count > path.resource.count else { return wider.contains { $0.contains(path) } }
        return DocumentScope.containing(path).contains { wider.contains($0) }
    }

    func containsAny(of paths: some Sequence<CollectionPath>) -> Bool {
        !isEmpty && paths.contains { contains($0) }
    }

    /// Whether a scope of each may have a collection in common.
    func overlaps(_ other: ScopeSet) -> Bool {
        hasTrees && !other.wider.isEmpty || other.hasTrees && !wider.isEmpty
            || !groups.isDisjoint(with: other.groups)
            || containsAny(of: other.collections) || other.containsAny(of: collections)
    }
}

extension DocumentScope {
    /// The length of the names in it.
    fileprivate var utf8Count: Int {
        switch self {
        case .collection(let path): path.resource.utf8Count
        case .collectionGroup(let group, let parent): group.utf8Count + (parent?.resource.utf8Count ?? 0)
        case .children(let parent), .descendants(let parent): parent?.resource.utf8Count ?? 0
        }
    }
}
