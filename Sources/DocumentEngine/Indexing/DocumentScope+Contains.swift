// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import QueryPlanner

extension DocumentScope {
    /// The collection; nil for a scope that may have several.
    var collection: CollectionPath? { if case .collection(let path) = self { path } else { nil } }

    /// Whether the scope contains the documents of a collection.
    package func contains(_ path: CollectionPath) -> Bool {
        switch self {
        case .collection(let only): path == only
        case .collectionGroup(let group, let under):
            path.group == group && (under.map { $0.resource.isPrefix(of: path.resource) } ?? true)
        case .children(let parent): path.parent == parent
        case .descendants(let parent): parent.map { $0.resource.isPrefix(of: path.resource) } ?? true
        }
    }

    /// All scopes that contain the documents of a collection: not many more than its path is long.
    static func containing(_ path: CollectionPath) -> [DocumentScope] {
        let segments = path.resource.segments
        var scopes: [DocumentScope] = [.collection(path), .children(of: path.parent)]
        for count in stride(from: 0, to: segments.count, by: 2) {
            let parent = count == 0 ? nil : DocumentPath(ResourcePath(segments: Array(segments.prefix(count))))
            scopes += [.descendants(of: parent), .collectionGroup(path.group, under: parent)]
        }
        return scopes
    }
}
