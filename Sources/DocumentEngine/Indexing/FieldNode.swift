// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText

/// A tree node with the automatic indexes of a field; its children are the fields inside. It is cached until the
/// catalog changes.
///
/// It belongs to one ``IndexEntryBuilder``.
final class FieldNode {
    /// An automatic index: its scope, whether it holds array elements, and its ID.
    struct Slot {
        let scope: QueryScope
        let isContains: Bool
        /// The encoded ID of the index; empty until it has its first entry.
        var indexID: [UInt8] = []
    }

    /// Empty for the document itself.
    let path: [Text]
    /// The last segment of the path.
    private let name: Text
    @exclusivity(unchecked) var slots: [Slot]
    let state: IndexState
    private let group: Text
    @exclusivity(unchecked) private var children: [FieldNode] = []

    /// The node of whole documents of a collection group.
    ///
    /// - Parameter state: whether the tree holds the ready or the building indexes.
    init(rootOf group: Text, of state: IndexState) {
        self.group = group
        self.state = state
        path = []
        name = ""
        slots = []
    }

    private init(_ name: Text, in outer: [Text], group: Text, of state: IndexState, _ catalog: IndexCatalog) {
        self.group = group
        self.state = state
        self.name = name
        path = outer + [name]
        slots = FieldNode.slots(of: FieldPath(path), in: group, state, catalog)
    }

    /// While field overrides change, an index is ready if both the former and the new overrides have it.
    private static func slots(
        of path: FieldPath, in group: Text, _ state: IndexState, _ catalog: IndexCatalog
    ) -> [Slot] {
        let all = slots(catalog.singleFieldIndexes(of: path, in: group))
        guard let former = catalog.formerSingleFieldIndexes(of: path, in: group).map(slots) else {
            return state == .ready ? all : []
        }
        return all.filter { slot in
            former.contains { $0.scope == slot.scope && $0.isContains == slot.isContains } == (state == .ready)
        }
    }

    /// Whether an automatic index is ready for queries.
    static func isReady(_ index: FieldIndexKey, _ catalog: IndexCatalog) -> Bool {
        slots(of: index.path, in: index.collectionGroup, .ready, catalog).contains {
            $0.scope == index.scope && $0.isContains == index.isContains
        }
    }

    /// Whether the current definitions have an automatic index.
    static func isWanted(_ index: FieldIndexKey, _ catalog: IndexCatalog) -> Bool {
        slots(catalog.singleFieldIndexes(of: index.path, in: index.collectionGroup)).contains {
            $0.scope == index.scope && $0.isContains == index.isContains
        }
    }

    /// The stored indexes. One of them serves both ascending and descending order.
    private static func slots(_ indexes: Set<SingleFieldIndex>) -> [Slot] {
        var slots: [Slot] = []
        for scope in [QueryScope.collection, .collectionGroup] {
            let modes = indexes.filter { $0.scope == scope }.map(\.mode)
            if modes.contains(.ascending) || modes.contains(.descending) {
                slots.append(Slot(scope: scope, isContains: false))
            }
            if modes.contains(.contains) { slots.append(Slot(scope: scope, isContains: true)) }
        }
        return slots
    }

    /// The node of a field inside this one, if it is known. `hint` is the position after the last child found. It is usually
    /// right, because documents of a collection usually have the same fields in the same order.
    func child(_ name: Text, hint: inout Int) -> FieldNode? {
        let index = hint < children.count && children[hint].name == name ? hint : place(of: name)
        hint = index + 1
        return index < children.count && children[index].name == name ? children[index] : nil
    }

    /// Adds the node of a field inside this one.
    func add(_ name: Text, _ catalog: IndexCatalog) -> FieldNode {
        let node = FieldNode(name, in: path, group: group, of: state, catalog)
        children.insert(node, at: place(of: name))
        return node
    }

    private func place(of name: Text) -> Int { children.indices.partitioningIndex { !(children[$0].name < name) } }
}
