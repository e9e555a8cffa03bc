// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Listeners by ranges of bytes, found by a position within them. A treap of the ranges in the order of their lower
/// bounds, in which each node knows the greatest upper bound below it.
final class ListenerIntervals {
    private final class Node {
        let range: KeyRange
        let priority = UInt64.random(in: .min ... .max)
        var listeners: Set<ObjectIdentifier> = []
        var left: Node?
        var right: Node?
        /// Empty means unbounded, as in the ranges.
        var greatestUpper: [UInt8] = []

        init(_ range: KeyRange) {
            self.range = range
            refresh()
        }

        func refresh() {
            greatestUpper = range.upper
            for child in [left, right] {
                guard let child, !greatestUpper.isEmpty else { continue }
                if child.greatestUpper.isEmpty || compareBytes(child.greatestUpper, greatestUpper) > 0 {
                    greatestUpper = child.greatestUpper
                }
            }
        }
    }

    private var root: Node?

    var isEmpty: Bool { root == nil }

    func insert(_ listener: ObjectIdentifier, _ range: KeyRange) {
        let node = find(range) ?? Node(range)
        if node.listeners.isEmpty { root = Self.inserting(node, into: root) }
        node.listeners.insert(listener)
    }

    func remove(_ listener: ObjectIdentifier, _ range: KeyRange) {
        guard let node = find(range) else { return }
        node.listeners.remove(listener)
        if node.listeners.isEmpty { root = Self.removing(range, from: root) }
    }

    /// Passes the listeners whose ranges contain `place` to the search.
    func visit(_ place: [UInt8], _ search: inout ListenerSearch) {
        if let root { Self.visit(root, place, &search) }
    }

    private static func visit(_ node: Node, _ place: [UInt8], _ search: inout ListenerSearch) {
        guard !search.isDone, isBelow(place, node.greatestUpper) else { return }
        search.examined += 1
        if let left = node.left { visit(left, place, &search) }
        guard compareBytes(node.range.lower, place) <= 0 else { return }
        if isBelow(place, node.range.upper) { search.add(node.listeners) }
        if let right = node.right { visit(right, place, &search) }
    }

    private static func isBelow(_ place: [UInt8], _ upper: [UInt8]) -> Bool {
        upper.isEmpty || compareBytes(place, upper) < 0
    }
}

// MARK: - The tree

extension ListenerIntervals {
    private static func compare(_ lhs: KeyRange, _ rhs: KeyRange) -> Int {
        let order = compareBytes(lhs.lower, rhs.lower)
        return order != 0 ? order : compareBytes(lhs.upper, rhs.upper)
    }

    private func find(_ range: KeyRange) -> Node? {
        var node = root
        while let found = node {
            let order = Self.compare(range, found.range)
            guard order != 0 else { return found }
            node = order < 0 ? found.left : found.right
        }
        return nil
    }

    private static func inserting(_ new: Node, into node: Node?) -> Node {
        guard let node else { return new }
        if new.priority > node.priority {
            (new.left, new.right) = split(node, at: new.range)
            new.refresh()
            return new
        }
        if compare(new.range, node.range) < 0 {
            node.left = inserting(new, into: node.left)
        } else {
            node.right = inserting(new, into: node.right)
        }
        node.refresh()
        return node
    }

    private static func removing(_ range: KeyRange, from node: Node?) -> Node? {
        guard let node else { return nil }
        let order = compare(range, node.range)
        if order == 0 { return merged(node.left, node.right) }
        if order < 0 {
            node.left = removing(range, from: node.left)
        } else {
            node.right = removing(range, from: node.right)
        }
        node.refresh()
        return node
    }

    /// Splits into the nodes before the range and those after it.
    private static func split(_ node: Node?, at range: KeyRange) -> (Node?, Node?) {
        guard let node else { return (nil, nil) }
        if compare(node.range, range) < 0 {
            let (before, after) = split(node.right, at: range)
            node.right = before
            node.refresh()
            return (node, after)
        }
        let (before, after) = split(node.left, at: range)
        node.left = after
        node.refresh()
        return (before, node)
    }

    /// All nodes of `left` precede those of `right`.
    private static func merged(_ left: Node?, _ right: Node?) -> Node? {
        guard let left else { return right }
        guard let right else { return left }
        if left.priority > right.priority {
            left.right = merged(left.right, right)
            left.refresh()
            return left
        }
        right.left = merged(left, right.left)
        right.refresh()
        return right
    }
}
