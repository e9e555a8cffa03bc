// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// The index that production suggests (I-49 to I-52).
enum IndexSuggestion {
    static func definition(for requirement: IndexRequirement, collectionGroup: Text, _ scope: QueryScope)
        -> IndexDefinition
    {
        var fields: [IndexField] = []
        if let membership = requirement.membership { fields.append(IndexField(membership, .contains)) }
        for path in requirement.equalities.sorted() { fields.append(IndexField(path, .order(.ascending))) }
        for order in requirement.orders.dropLast() where !requirement.equalities.contains(order.path) {
            fields.append(IndexField(order.path, .order(order.direction)))
        }
        if let vector = requirement.vector { fields.append(vector) }
        return IndexDefinition(
            collectionGroup: collectionGroup, scope: scope, fields: fields, nameDirection: requirement.nameDirection)
    }

    /// The automatic index that is equivalent to a definition with one field; nil if only a composite will do (I-51).
    static func singleFieldIndex(_ definition: IndexDefinition) -> SingleFieldIndex? {
        guard definition.fields.count == 1 else { return nil }
        switch definition.fields[0].mode {
        case .contains: return SingleFieldIndex(.contains, definition.scope)
        case .order(let direction) where direction == definition.nameDirection:
            return SingleFieldIndex(direction == .ascending ? .ascending : .descending, definition.scope)
        case .order, .vector: return nil
        }
    }

    /// E-4.
    static func hasSeveralInequalityFields(_ query: Query) -> Bool {
        let leaves = query.filter?.leaves ?? []
        return Set(leaves.lazy.filter(\.isInequality).compactMap(\.path)).count > 1
    }
}

extension IndexSelector {
    /// The index that the query waits for: the wanted one if it is being built, otherwise the first that is.
    func buildingIndex(closestTo wanted: IndexDefinition) -> IndexDefinition {
        let building = catalog.composites(of: wanted.collectionGroup).filter { $0.state == .building }
        return building.map(\.definition).first { $0 == wanted } ?? building.first?.definition ?? wanted
    }
}
