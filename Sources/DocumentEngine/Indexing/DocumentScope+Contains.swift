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
}
