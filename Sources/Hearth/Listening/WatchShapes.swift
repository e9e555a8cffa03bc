// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import QueryPlanner

/// The listeners of one collection or collection group, by what they demand of a document.
///
/// Each shape of demands stands at one of its fields, the one with the fewest, so that a document is compared only with shapes
/// of fields that it has: programs that keep users' IDs as field names have as many shapes as users.
struct WatchShapes {
    /// The shapes that stand at a field, and the fields within it.
    private struct Node {
        var shapes: [ListenerShape: [[UInt8]: WatchIntervals]] = [:]
        var children: [Text: Node] = [:]

        var isEmpty: Bool { shapes.isEmpty && children.isEmpty }

        subscript(path: ArraySlice<Text>) -> Node {
            get { path.first.map { children[$0]?[path.dropFirst()] ?? Node() } ?? self }
            _modify {
                if let name = path.first {
                    yield &children[name, default: Node()][path.dropFirst()]
                    if children[name]?.isEmpty ?? false { children[name] = nil }
                } else {
                    yield &self
                }
            }
        }
    }

    private var root = Node()
    /// Where each shape stands; the empty path for shapes that any document may have.
    private var places: [ListenerShape: ArraySlice<Text>] = [:]

    var isEmpty: Bool { places.isEmpty }

    mutating func insert(_ watch: Watch, _ demand: ListenerRequirement) {
        let place = places[demand.shape] ?? bestPlace(for: demand.shape)
        places[demand.shape] = place
        let intervals = root[place].shapes[demand.shape]?[demand.key] ?? WatchIntervals()
        for range in demand.ranges { intervals.insert(watch, range) }
        root[place].shapes[demand.shape, default: [:]][demand.key] = intervals
    }

    mutating func remove(_ watch: Watch, _ demand: ListenerRequirement) {
        guard let place = places[demand.shape], let intervals = root[place].shapes[demand.shape]?[demand.key] else {
            return
        }
        for range in demand.ranges { intervals.remove(watch, range) }
        guard intervals.isEmpty else { return }
        root[place].shapes[demand.shape]?[demand.key] = nil
        guard root[place].shapes[demand.shape]?.isEmpty ?? false else { return }
        root[place].shapes[demand.shape] = nil
        places[demand.shape] = nil
    }

    private func bestPlace(for shape: ListenerShape) -> ArraySlice<Text> {
        let paths = shape.fields.map { $0.segments[...] }
        return paths.min { root[$0].shapes.count < root[$1].shapes.count } ?? []
    }

    /// Shows the search the listeners that the document may concern, some of them perhaps twice.
    func visit(_ document: Document, _ search: inout WatchSearch) {
        visit(root, document.fields, of: document, &search)
    }

    private func visit(_ node: Node, _ fields: Fields, of document: Document, _ search: inout WatchSearch) {
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
    /// Those of a map.
    fileprivate var fields: Fields { if case .map(let fields) = self { fields } else { .empty } }
}
