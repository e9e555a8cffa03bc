// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Finds the indexes that cover a part of a requirement (I-25, I-28).
struct CandidateMatcher {
    let requirement: IndexRequirement
    let collectionGroup: Text
    let scope: QueryScope
    /// The places of the requirement's equalities.
    private let places: [FieldPath: Int]
    /// For each order, the place of its field among the equalities; nil if it is not bound.
    private let orderPlaces: [Int?]

    init(requirement: IndexRequirement, collectionGroup: Text, scope: QueryScope) {
        self.requirement = requirement
        self.collectionGroup = collectionGroup
        self.scope = scope
        let places = Dictionary(uniqueKeysWithValues: requirement.equalities.enumerated().map { ($1, $0) })
        self.places = places
        orderPlaces = requirement.orders.map { places[$0.path] }
    }

    /// The possible first fields of an index that covers a part of the requirement. Nil means `__name__` alone.
    var possibleFirstFields: [FieldPath?] {
        var paths: [FieldPath?] = requirement.equalities
        if let membership = requirement.membership { paths.append(membership) }
        paths.append(requirement.isNameOrder ? requirement.vector?.path : requirement.orders[0].path)
        return paths
    }

    /// All ways in which a composite covers a part of the requirement, longest prefix first. There are several if a
    /// field of the order is also bound by equality.
    func candidates(_ definition: IndexDefinition) -> [Candidate] {
        guard serves(definition.scope), let count = fieldCount(definition) else { return [] }
        guard requirement.vector != nil || definition.nameDirection == requirement.nameDirection else { return [] }
        var prefix = FieldSet()
        var bound: [Int] = []
        for field in definition.fields[..<count] {
            guard let place = place(of: field), !prefix.contains(place) else { break }
            prefix.insert(place)
            bound.append(place)
        }
        var result: [Candidate] = []
        for prefixCount in stride(from: bound.count, through: 0, by: -1) {
            if prefixCount < bound.count { prefix.remove(bound[prefixCount]) }
            guard let (covered, dropped) = match(definition, prefixCount..<count, after: prefix) else { continue }
            guard !covered.isEmpty || requirement.all.isEmpty else { continue }
            result.append(
                Candidate(
                    index: .composite(definition), prefixCount: prefixCount, covered: covered, dropped: dropped))
        }
        return result
    }

    /// A composite in group scope also serves one collection, but not the other way round (I-23).
    private func serves(_ indexScope: QueryScope) -> Bool { scope == .collection || indexScope == .collectionGroup }

    /// The number of fields before the vector. Nil if the index ends with another vector or has too many fields.
    private func fieldCount(_ definition: IndexDefinition) -> Int? {
        let count = definition.fields.count
        guard count <= requirement.all.count + requirement.orders.count else { return nil }
        guard let vector = requirement.vector else {
            if case .vector? = definition.fields.last?.mode { return nil }
            return count
        }
        return definition.fields.last == vector ? count - 1 : nil
    }

    /// The place of the requirement that a prefix field binds.
    private func place(of field: IndexField) -> Int? {
        switch field.mode {
        case .order: places[field.path]
        case .contains: field.path == requirement.membership ? requirement.equalities.count : nil
        case .vector: nil
        }
    }

    /// Whether the fields after a prefix are the orders, with equal directions. Orders that the prefix binds may be
    /// left out.
    private func match(
        _ definition: IndexDefinition, _ fields: Range<Int>, after prefix: FieldSet
    ) -> (covered: FieldSet, dropped: FieldSet)? {
        var covered = prefix
        var dropped = FieldSet()
        var next = fields.lowerBound
        guard fields.count < requirement.orders.count else { return nil }
        for number in 0..<requirement.orders.count - 1 {
            let place = orderPlaces[number]
            if next < fields.upperBound, isOrder(definition, next, number) {
                if let place { covered.insert(place) }
                next += 1
            } else if let place, prefix.contains(place) {
                dropped.insert(number)
            } else {
                return nil
            }
        }
        return next == fields.upperBound ? (covered, dropped) : nil
    }

    private func isOrder(_ definition: IndexDefinition, _ field: Int, _ number: Int) -> Bool {
        guard case .order(requirement.orders[number].direction) = definition.fields[field].mode else { return false }
        return definition.fields[field].path == requirement.orders[number].path
    }

    /// The automatic indexes that cover a part of the requirement (I-1, I-4, I-12).
    ///
    /// - Parameter includesBuilding: also takes indexes that are still being built.
    func automaticCandidates(_ catalog: IndexCatalog, includesBuilding: Bool = false) -> [Candidate] {
        let indexes = { (path: FieldPath) in
            includesBuilding
                ? catalog.singleFieldIndexes(of: path, in: collectionGroup)
                : catalog.readySingleFieldIndexes(of: path, in: collectionGroup)
        }
        guard requirement.vector == nil, requirement.orders.count <= 2 else { return [] }
        let path = requirement.orders.count == 2 ? requirement.orders[0].path : nil
        if requirement.all.isEmpty { return path.flatMap { orderIndex($0, indexes($0)) }.map { [$0] } ?? [] }
        var result: [Candidate] = []
        for (place, equality) in requirement.equalities.enumerated() where path == nil || path == equality {
            if let index = equalityIndex(indexes(equality)) { result.append(candidate(index, equality, place)) }
        }
        if let membership = requirement.membership, path == nil {
            let index = SingleFieldIndex(.contains, scope)
            if indexes(membership).contains(index) {
                result.append(candidate(index, membership, requirement.equalities.count))
            }
        }
        return result
    }

    private func candidate(_ index: SingleFieldIndex, _ path: FieldPath, _ place: Int) -> Candidate {
        var covered = FieldSet()
        covered.insert(place)
        return Candidate(
            index: .automatic(collectionGroup: collectionGroup, path: path, index: index), prefixCount: 1,
            covered: covered, dropped: FieldSet(count: requirement.orders.count - 1))
    }

    /// An equality needs the mode of the name's direction. Ordered by the name alone, ascending, either mode will do
    /// (I-12).
    private func equalityIndex(_ indexes: Set<SingleFieldIndex>) -> SingleFieldIndex? {
        let wanted = SingleFieldIndex(requirement.nameDirection == .ascending ? .ascending : .descending, scope)
        if indexes.contains(wanted) { return wanted }
        let other = SingleFieldIndex(.descending, scope)
        return requirement.isNameOrder && requirement.nameDirection == .ascending && indexes.contains(other)
            ? other : nil
    }

    /// I-31, I-32, I-44.
    private func orderIndex(_ path: FieldPath, _ indexes: Set<SingleFieldIndex>) -> Candidate? {
        let direction = requirement.orders[0].direction
        guard direction == requirement.nameDirection else { return nil }
        let index = SingleFieldIndex(direction == .ascending ? .ascending : .descending, scope)
        guard indexes.contains(index) else { return nil }
        return Candidate(
            index: .automatic(collectionGroup: collectionGroup, path: path, index: index), prefixCount: 0,
            covered: FieldSet(), dropped: FieldSet())
    }
}
