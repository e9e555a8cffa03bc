// SPDX-License-Identifier: Apache-2.0

internal import IndexCatalog

/// The indexes that can be part of an optimal solution for a set of shapes.
///
/// An index that covers a part of a shape has a block of bound fields, in any order and direction, and then fixed
/// fields (I-25). If one index covers parts of several shapes, the shape with the shortest block determines it up to
/// the order within that block. So it is enough to consider one index for each part of each shape, with its block
/// sorted and ascending. If one of the shapes belongs to a collection group, the same index in group scope is added,
/// because it also serves collections (I-23).
struct IndexCandidates {
    /// A shape with more bound fields is split only where other shapes share fields, not in every way.
    static let exhaustiveCount = 6

    private let shapes: [QueryShape]
    private(set) var found: Set<IndexReference> = []

    init(_ shapes: [QueryShape]) {
        self.shapes = shapes
        for shape in shapes { addParts(of: shape) }
        addGroupScopes()
    }

    private mutating func addGroupScopes() {
        let groups = Set(shapes.filter { $0.scope == .collectionGroup }.map(\.collectionGroup))
        for case .composite(let definition) in found
        where definition.scope == .collection && groups.contains(definition.collectionGroup) {
            found.insert(
                .composite(
                    IndexDefinition(
                        collectionGroup: definition.collectionGroup, scope: .collectionGroup, fields: definition.fields,
                        nameDirection: definition.nameDirection)))
        }
    }

    private mutating func addParts(of shape: QueryShape) {
        let requirement = shape.requirement
        let orderPlaces = requirement.orders.dropLast().map { order in requirement.equalities.firstIndex(of: order.path)
        }
        let repeated = orderPlaces.compactMap { $0 }
        for kept in subsets(of: Array(repeated.prefix(IndexCandidates.exhaustiveCount))) {
            let keptSet = Set(kept)
            let tail = zip(requirement.orders.dropLast(), orderPlaces).filter { $1.map(keptSet.contains) ?? true }.map(
                \.0)
            let dropped = Set(repeated).subtracting(keptSet)
            for block in blocks(of: shape) where dropped.isSubset(of: block) && keptSet.isDisjoint(with: block) {
                add(shape, block: block, tail: tail)
            }
        }
    }

    /// The sets of places that an index may bind with its prefix.
    private func blocks(of shape: QueryShape) -> [Set<Int>] {
        let count = shape.requirement.all.count
        let all = Set(0..<count)
        if shape.requirement.vector != nil { return [all] }
        if count <= IndexCandidates.exhaustiveCount { return subsets(of: Array(all)).map { Set($0) } }
        var blocks: Set<Set<Int>> = [all, []]
        for place in 0..<count { blocks.formUnion([[place], all.subtracting([place])]) }
        for other in shapes where other.collectionGroup == shape.collectionGroup {
            let shared = Set(
                shape.requirement.equalities.indices.filter { place in
                    let path = shape.requirement.equalities[place]
                    return other.requirement.equalities.contains(path)
                        || other.requirement.orders.contains { $0.path == path }
                })
            blocks.formUnion([shared, all.subtracting(shared)])
        }
        let bound = Set(shape.requirement.orders.compactMap { shape.requirement.equalities.firstIndex(of: $0.path) })
        return Array(blocks.union(blocks.map { $0.subtracting(bound) }))
    }

    private func subsets(of places: [Int]) -> [[Int]] {
        (0..<(1 << places.count)).map { mask in places.indices.filter { mask & (1 << $0) != 0 }.map { places[$0] } }
    }

    private mutating func add(_ shape: QueryShape, block: Set<Int>, tail: [Order]) {
        let requirement = shape.requirement
        var fields: [IndexField] = []
        if let membership = requirement.membership, block.contains(requirement.equalities.count) {
            fields.append(IndexField(membership, .contains))
        }
        let bound = block.filter { $0 < requirement.equalities.count }.map { requirement.equalities[$0] }.sorted()
        // An index on one bound field is the automatic one in the name's direction (I-12).
        let isAlone = fields.isEmpty && bound.count == 1 && tail.isEmpty && requirement.vector == nil
        fields += bound.map { IndexField($0, .order(isAlone ? requirement.nameDirection : .ascending)) }
        fields += tail.map { IndexField($0.path, .order($0.direction)) }
        if let vector = requirement.vector { fields.append(vector) }
        guard !fields.isEmpty || requirement.all.isEmpty else { return }
        let definition = IndexDefinition(
            collectionGroup: shape.collectionGroup, scope: shape.scope, fields: fields,
            nameDirection: requirement.nameDirection)
        guard let single = IndexSuggestion.singleFieldIndex(definition) else {
            found.insert(.composite(definition))
            return
        }
        // A mode that a file disables in collections stays disabled if another index can serve.
        guard shape.scope == .collectionGroup || shape.isSingleFieldMatter else {
            if block.count == requirement.all.count { found.insert(.composite(shape.suggestion)) }
            return
        }
        found.insert(.automatic(collectionGroup: shape.collectionGroup, path: fields[0].path, index: single))
    }
}
