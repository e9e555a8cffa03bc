// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Every index that is worth considering for a set of shapes.
///
/// What covers a part of a shape is a block of bound fields, free in order and direction, and then fixed fields (I-25). If
/// one index covers parts of several shapes, the one with the shortest block fixes it but for the order inside that block.
/// So one index for each part of each shape, its block sorted and ascending, is as good as all indexes there are; and where one
/// of the shapes is a collection group's, the same in group scope, which serves collections too (I-23).
struct IndexCandidates {
    /// A shape with more bound fields than this is cut along other shapes only, not in every way.
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

    /// Sets of places that an index may bind by its prefix.
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
        // An index on one bound field is the automatic one of the name's direction (I-12).
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
        // What a file switches off in one collection stays off unless nothing else could serve.
        guard shape.scope == .collectionGroup || shape.isSingleFieldMatter else {
            if block.count == requirement.all.count { found.insert(.composite(shape.suggestion)) }
            return
        }
        found.insert(.automatic(collectionGroup: shape.collectionGroup, path: fields[0].path, index: single))
    }
}
