// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The listeners of one collection or collection group, by what they require of a document.
///
/// Each shape of requirements is filed under one of its fields, the one with the fewest shapes. A document is compared only
/// with shapes of fields that it has. This matters to programs that use user IDs as field names, which have as many
/// shapes as users.
struct ListenerShapes {
    /// The shapes that are filed under a field, and the fields within it.
    private struct Node {
        var shapes: [ListenerShape: [[UInt8]: ListenerIntervals]] = [:]
        var children: [Text: Node] = [:]

        var isEmpty: Bool { shapes.isEmpty && children.isEmpty }

        subscript(path: ArraySlice<Text>) -> Node {
            path.first.map { children[$0]?[path.dropFirst()] ?? Node() } ?? self
        }

        /// Changes the node at a path, and forgets those above it that become empty.
        ///
        /// Not a `_modify` that yields to itself: Swift 6.3 compiles it to a call through a wrong pointer, with `-O` in
        /// debug builds.
        mutating func change(at path: ArraySlice<Text>, _ body: (inout Node) -> Void) {
            guard let name = path.first else { return body(&self) }
            children[name, default: Node()].change(at: path.dropFirst(), body)
            if children[name]?.isEmpty ?? false { children[name] = nil }
        }

        mutating func forget(_ key: [UInt8], of shape: ListenerShape) {
            shapes[shape]?[key] = nil
            if shapes[shape]?.isEmpty ?? false { shapes[shape] = nil }
        }
    }

    private var root = Node()
    /// The field under which each shape is filed; the empty path for shapes that any document may have.
    private var places: [ListenerShape: ArraySlice<Text>] = [:]

    var isEmpty: Bool { places.isEmpty }

    mutating func insert(_ listener: ObjectIdentifier, _ requirement: ListenerRequirement) {
        let place = places[requirement.shape] ?? bestPlace(for: requirement.shape)
        places[requirement.shape] = place
        let intervals = root[place].shapes[requirement.shape]?[requirement.key] ?? ListenerIntervals()
        for range in requirement.ranges { intervals.insert(listener, range) }
        root.change(at: place) { $0.shapes[requirement.shape, default: [:]][requirement.key] = intervals }
    }

    mutating func remove(_ listener: ObjectIdentifier, _ requirement: ListenerRequirement) {
        guard let place = places[requirement.shape],
            let intervals = root[place].shapes[requirement.shape]?[requirement.key]
        else {
            return
        }
        for range in requirement.ranges { intervals.remove(listener, range) }
        guard intervals.isEmpty else { return }
        root.change(at: place) { $0.forget(requirement.key, of: requirement.shape) }
        if root[place].shapes[requirement.shape] == nil { places[requirement.shape] = nil }
    }

    private func bestPlace(for shape: ListenerShape) -> ArraySlice<Text> {
        let paths = shape.fields.map { $0.segments[...] }
        return paths.min { root[$0].shapes.count < root[$1].shapes.count } ?? []
    }

    /// Passes the listeners that the document may affect to the search, some of them perhaps twice.
    func visit(_ document: Document, _ search: inout ListenerSearch) {
        visit(root, document.fields, of: document, &search)
    }

    private func visit(_ node: Node, _ fields: Fields, of document: Document, _ search: inout ListenerSearch) {
        for (shape, intervals) in node.shapes where !search.isDone {
            search.examined += 1
            guard let place = shape.place(of: document) else { continue }
            for key in shape.keys(of: document) { intervals[key]?.visit(place, &search) }
        }
        guard !node.children.isEmpty, !search.isDone else { return }
        if node.children.count < fields.count {
            for (name, child) in node.children {
                if let value = fields[name] { visit(child, value.fields, of: document, &search) }
            }
        } else {
            for field in fields {
                if let child = node.children[field.name] { visit(child, field.value.fields, of: document, &search) }
            }
        }
    }
}

extension Value {
    /// The fields of a map; empty for other values.
    fileprivate var fields: Fields { if case .map(let fields) = self { fields } else { .empty } }
}
