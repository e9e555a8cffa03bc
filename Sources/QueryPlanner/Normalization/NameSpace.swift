// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// The encoding of document names in a scope: IDs within one collection, paths everywhere else.
struct NameSpace {
    let scope: DocumentScope

    /// The position of a reference among the names of the scope, in ascending order.
    enum Position {
        /// A name in the scope. The document need not exist.
        case at([UInt8])
        /// Between this name and the next: a document in a subcollection of it (V-23).
        case justAfter([UInt8])
        case beforeAll
        case afterAll
    }

    func position(of path: ResourcePath) -> Position {
        guard case .collection(let collection) = scope else { return .at(NameSpace.key(path)) }
        let depth = collection.resource.count
        if collection.resource.isPrefix(of: path), path.count > depth {
            var encoder = KeyEncoder()
            encoder.append(segment: path.segments[depth])
            return path.count == depth + 1 ? .at(encoder.bytes) : .justAfter(encoder.bytes)
        }
        return ResourcePath.compare(path, collection.resource) < 0 ? .beforeAll : .afterAll
    }

    static func key(_ path: ResourcePath) -> [UInt8] {
        var encoder = KeyEncoder()
        encoder.append(path: path)
        return encoder.bytes
    }

    /// All possible names. If the scope has a parent and names are paths, only names under the parent.
    var all: KeyRangeSet {
        let parent: DocumentPath? =
            switch scope {
            case .collection: nil
            case .collectionGroup(_, let parent), .children(let parent), .descendants(let parent): parent
            }
        guard let parent else { return .everything }
        var encoder = KeyEncoder()
        encoder.append(segmentsOf: parent.resource)
        let afterParent = KeyRange.successor(of: NameSpace.key(parent.resource))
        return [KeyRange(lower: afterParent, upper: KeyRange.successor(of: encoder.bytes))]
    }

    /// The names that a filter on `__name__` matches.
    func ranges(of leaf: Filter) -> KeyRangeSet {
        guard case .field(_, let op, let operand) = leaf else { return [] }
        switch (op, operand) {
        case (.notIn, .array(let operands)): return operands.reduce(all) { $0.intersection(equal($1).inverted) }
        case (.notEqual, _): return all.intersection(equal(operand).inverted)
        case (.equal, _): return all.intersection(equal(operand))
        case (.lessThan, _): return all.intersection(names(before: operand, including: false))
        case (.lessThanOrEqual, _): return all.intersection(names(before: operand, including: true))
        case (.greaterThan, _): return all.intersection(names(before: operand, including: true).inverted)
        case (.greaterThanOrEqual, _): return all.intersection(names(before: operand, including: false).inverted)
        default: return []
        }
    }

    private func equal(_ operand: Value) -> KeyRangeSet {
        guard case .reference(let reference) = operand, case .at(let key) = position(of: reference.path) else {
            return []
        }
        return [KeyRange(prefix: key)]
    }

    private func names(before operand: Value, including: Bool) -> KeyRangeSet {
        guard case .reference(let reference) = operand else { return [] }
        switch position(of: reference.path) {
        case .at(let key): return [KeyRange(lower: [], upper: including ? KeyRange.successor(of: key) : key)]
        case .justAfter(let key): return [KeyRange(lower: [], upper: KeyRange.successor(of: key))]
        case .beforeAll: return []
        case .afterAll: return .everything
        }
    }
}
