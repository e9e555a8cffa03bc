// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB

/// The automatic indexes of a field and of the fields inside it, found once and kept while the catalog stays as it is.
///
/// Only the writer uses it, inside a write transaction.
final class FieldNode {
    /// A stored automatic index: its scope, whether it holds array elements, and its number once it has one.
    struct Slot {
        let scope: QueryScope
        let isContains: Bool
        /// The index's number as keys begin with it; nil until the first entry.
        var number: [UInt8]?
    }

    /// Empty for the document itself.
    let path: [Text]
    var slots: [Slot]
    private let group: Text
    private var children: [FieldNode] = []

    /// The node of whole documents of a collection group.
    init(rootOf group: Text) {
        self.group = group
        path = []
        slots = []
    }

    private init(_ path: [Text], group: Text, _ catalog: IndexCatalog) {
        self.group = group
        self.path = path
        slots = FieldNode.slots(catalog.singleFieldIndexes(of: FieldPath(path), in: group))
    }

    /// One stored index serves ascending and descending.
    private static func slots(_ indexes: Set<SingleFieldIndex>) -> [Slot] {
        var slots: [Slot] = []
        for scope in [QueryScope.collection, .collectionGroup] {
            let modes = indexes.filter { $0.scope == scope }.map(\.mode)
            if modes.contains(.ascending) || modes.contains(.descending) {
                slots.append(Slot(scope: scope, isContains: false, number: nil))
            }
            if modes.contains(.contains) { slots.append(Slot(scope: scope, isContains: true, number: nil)) }
        }
        return slots
    }

    /// The node of a field inside this one. Documents of a collection mostly have the same fields in the same order, so `hint`,
    /// the place after the last one found, is mostly right.
    func child(_ name: Text, hint: inout Int, _ catalog: IndexCatalog, nodes: inout Int) -> FieldNode {
        if hint < children.count, children[hint].path[path.count] == name {
            hint += 1
            return children[hint - 1]
        }
        var low = 0
        var high = children.count
        while low < high {
            let middle = (low + high) / 2
            if children[middle].path[path.count] < name { low = middle + 1 } else { high = middle }
        }
        hint = low + 1
        if low < children.count, children[low].path[path.count] == name { return children[low] }
        let node = FieldNode(path + [name], group: group, catalog)
        children.insert(node, at: low)
        nodes += 1
        return node
    }
}
