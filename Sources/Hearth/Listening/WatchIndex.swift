// SPDX-License-Identifier: Apache-2.0

internal import DocumentEngine
internal import DocumentModel
internal import QueryPlanner

/// Finds the listeners that a change may concern by looking up the changed document's collection and, within it, the values of
/// the fields that listeners bind by equality: the work depends on how many different shapes of queries there are, not on how
/// many listeners.
struct WatchIndex {
    /// The listeners of one collection or collection group.
    private struct Bucket {
        var shapes: [EqualityShape: [[UInt8]: Set<Watch>]] = [:]
        /// Those that bind no field.
        var others: Set<Watch> = []

        var isEmpty: Bool { shapes.isEmpty && others.isEmpty }

        /// Calls `body` with listeners that a document may concern, some of them perhaps twice, until it gives true.
        func contains(for document: Document?, where body: (Set<Watch>) -> Bool) -> Bool {
            guard let document else { return false }
            if !others.isEmpty, body(others) { return true }
            for (shape, watches) in shapes {
                for key in shape.keys(of: document) {
                    if let found = watches[key], body(found) { return true }
                }
            }
            return false
        }

        mutating func change(_ demands: [EqualityDemand], _ change: (inout Set<Watch>) -> Void) {
            guard !demands.contains(where: \.shape.isEmpty) else { return change(&others) }
            for demand in demands {
                change(&shapes[demand.shape, default: [:]][demand.key, default: []])
                if shapes[demand.shape]?[demand.key]?.isEmpty ?? false { shapes[demand.shape]?[demand.key] = nil }
                if shapes[demand.shape]?.isEmpty ?? false { shapes[demand.shape] = nil }
            }
        }
    }

    private var documents: [DocumentPath: Set<Watch>] = [:]
    private var collections: [CollectionPath: Bucket] = [:]
    private var groups: [Text: Bucket] = [:]

    mutating func insert(_ watch: Watch, _ interest: LiveSource.Interest) {
        change(interest) { $0.insert(watch) }
    }

    mutating func remove(_ watch: Watch, _ interest: LiveSource.Interest) {
        change(interest) { $0.remove(watch) }
    }

    private mutating func change(_ interest: LiveSource.Interest, _ change: (inout Set<Watch>) -> Void) {
        switch interest {
        case .document(let path):
            change(&documents[path, default: []])
            if documents[path]?.isEmpty ?? false { documents[path] = nil }
        case .collection(let path, let demands):
            collections[path, default: Bucket()].change(demands, change)
            if collections[path]?.isEmpty ?? false { collections[path] = nil }
        case .group(let id, let demands):
            groups[id, default: Bucket()].change(demands, change)
            if groups[id]?.isEmpty ?? false { groups[id] = nil }
        }
    }

    /// Whether any listener may be concerned.
    func concerns(_ changes: [DocumentEngine.DocumentChange]) -> Bool {
        changes.contains { contains($0) { _ in true } }
    }

    /// The listeners that may be concerned, with the changes that may concern them.
    func route(_ changes: [DocumentEngine.DocumentChange]) -> [Watch: [DocumentEngine.DocumentChange]] {
        var routed: [Watch: [DocumentEngine.DocumentChange]] = [:]
        for change in changes {
            var found: Set<Watch> = []
            _ = contains(change) { watches in
                found.formUnion(watches)
                return false
            }
            for watch in found { routed[watch, default: []].append(change) }
        }
        return routed
    }

    private func contains(_ change: DocumentEngine.DocumentChange, where body: (Set<Watch>) -> Bool) -> Bool {
        if let watches = documents[change.path], body(watches) { return true }
        let collection = change.path.collection
        for bucket in [collections[collection], groups[collection.group]] {
            guard let bucket else { continue }
            if bucket.contains(for: change.old, where: body) || bucket.contains(for: change.new, where: body) {
                return true
            }
        }
        return false
    }
}
