// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog
package import QueryPlanner

/// Random index sets: composites that almost serve queries or do serve them, and overrides that remove automatic
/// indexes.
package struct IndexConfigurationGenerator: Sendable {
    private let fieldPaths: [FieldPath]

    package init(fieldPaths: [FieldPath] = DocumentGenerator.paths) {
        self.fieldPaths = fieldPaths
    }

    /// - Parameter queries: about half of the composites serve one of these, or almost serve it.
    package func configuration(for queries: [Query] = [], _ random: inout SeededGenerator) -> IndexConfiguration {
        var indexes: [IndexDefinition] = []
        for query in queries where random.chance(0.7) {
            if let nearest = query.nearest {
                indexes += vectorIndex(query, nearest)
            } else {
                indexes += random.chance(0.2) ? members(query, &random) : near(query, &random)
            }
        }
        for _ in 0..<random.int(0..<4) { indexes += [composite(&random)] }
        var overrides: [FieldOverride] = []
        for path in fieldPaths where random.chance(0.15) { overrides.append(override(path, &random)) }
        if random.chance(0.05) { overrides.append(override(nil, &random)) }
        return IndexConfiguration(indexes: Array(Set(indexes)).sorted { "\($0)" < "\($1)" }, fieldOverrides: overrides)
    }

    /// For each disjunct of a query, equalities in any order, then its orders: exact, or with a changed direction,
    /// field or scope.
    private func near(_ query: Query, _ random: inout SeededGenerator) -> [IndexDefinition] {
        guard let group = query.from.collectionID else { return [] }
        let disjuncts = query.filter.map { QueryRules.disjuncts($0) } ?? [[]]
        let inequalities = disjuncts.joined().filter(\.isInequality).map(\.path)
        let last = query.orders.last?.direction ?? .ascending
        let implied = Set(inequalities).subtracting(query.orders.map(\.path)).sorted().map { Order($0, last) }
        let orders = (query.orders + implied).filter { !$0.path.isDocumentName }
        return disjuncts.compactMap { disjunct in
            var fields: [IndexField] = []
            for leaf in disjunct.shuffled(using: &random) where !leaf.isInequality && !leaf.path.isDocumentName {
                if !fields.contains(where: { $0.path == leaf.path }) {
                    fields.append(IndexField(leaf.path, leaf.isMembership ? .contains : .order(.ascending)))
                }
            }
            for order in orders where !fields.contains(where: { $0.path == order.path }) {
                let reverse = random.chance(0.1)
                fields.append(IndexField(order.path, .order(reverse ? order.direction.reversed : order.direction)))
            }
            if random.chance(0.1), fields.count > 2 { fields.remove(at: random.int(0..<fields.count)) }
            let scope: QueryScope = query.from.allDescendants != random.chance(0.1) ? .collectionGroup : .collection
            return definition(group, scope, fields, name: random.chance(0.9) ? nil : last.reversed)
        }
    }

    /// For a query of one conjunction, an index for each equality with the orders: what a join needs (I-34).
    private func members(_ query: Query, _ random: inout SeededGenerator) -> [IndexDefinition] {
        guard let group = query.from.collectionID, let filter = query.filter else { return [] }
        let orders = query.orders.filter { !$0.path.isDocumentName }
        let bound = QueryRules.leaves(filter).filter { !$0.isInequality && !$0.path.isDocumentName }
        let scope: QueryScope = query.from.allDescendants ? .collectionGroup : .collection
        var members = bound.compactMap { leaf -> IndexDefinition? in
            guard !orders.contains(where: { $0.path == leaf.path }) else { return nil }
            let field = IndexField(leaf.path, leaf.isMembership ? .contains : .order(.ascending))
            let fields = [field] + orders.map { IndexField($0.path, .order($0.direction)) }
            return definition(group, scope, fields, name: nil)
        }
        // All of them, to be read backwards.
        if random.chance(0.5) {
            var fields: [IndexField] = []
            for leaf in bound where !fields.contains(where: { $0.path == leaf.path }) {
                fields.append(IndexField(leaf.path, leaf.isMembership ? .contains : .order(.ascending)))
            }
            for order in orders where !fields.contains(where: { $0.path == order.path }) {
                fields.append(IndexField(order.path, .order(order.direction.reversed)))
            }
            let last = query.orders.last?.direction ?? .ascending
            if let reverse = definition(group, scope, fields, name: last.reversed) { members.append(reverse) }
        }
        return members
    }

    /// A vector index after the fields of the filter.
    private func vectorIndex(_ query: Query, _ nearest: FindNearest) -> [IndexDefinition] {
        guard let group = query.from.collectionID else { return [] }
        var fields: [IndexField] = []
        for leaf in query.filter.map({ QueryRules.leaves($0) }) ?? []
        where !leaf.path.isDocumentName && !fields.contains(where: { $0.path == leaf.path }) {
            fields.append(IndexField(leaf.path, leaf.isMembership ? .contains : .order(.ascending)))
        }
        guard fields.count(where: { $0.mode == .contains }) <= 1 else { return [] }
        fields.append(IndexField(nearest.path, .vector(dimension: nearest.vector.count)))
        return [IndexDefinition(collectionGroup: group, scope: .collection, fields: fields, nameDirection: .ascending)]
    }

    private func composite(_ random: inout SeededGenerator) -> IndexDefinition {
        let paths = fieldPaths.shuffled(using: &random).prefix(random.int(2..<4))
        let membership = random.chance(0.3) ? random.pick(Array(paths)) : nil
        let fields = paths.map { path in
            IndexField(path, path == membership ? .contains : .order(random.chance(0.6) ? .ascending : .descending))
        }
        let scope: QueryScope = random.chance(0.3) ? .collectionGroup : .collection
        return definition(random.pick(["c", "d"]), scope, fields, name: nil)!
    }

    /// Nil if a composite index needs more fields (I-15). `__name__` has the direction of the last field unless another
    /// one is given (I-17).
    private func definition(
        _ group: Text, _ scope: QueryScope, _ fields: [IndexField], name: Direction?
    ) -> IndexDefinition? {
        guard fields.count >= 2, fields.count(where: { $0.mode == .contains }) <= 1 else { return nil }
        let last: Direction = if case .order(let direction)? = fields.last?.mode { direction } else { .ascending }
        return IndexDefinition(collectionGroup: group, scope: scope, fields: fields, nameDirection: name ?? last)
    }

    private func override(_ path: FieldPath?, _ random: inout SeededGenerator) -> FieldOverride {
        var indexes: Set<SingleFieldIndex> = []
        for mode in SingleFieldIndex.Mode.allCases {
            for scope in [QueryScope.collection, .collectionGroup] where random.chance(0.5) {
                indexes.insert(SingleFieldIndex(mode, scope))
            }
        }
        return FieldOverride(collectionGroup: random.pick(["c", "c", "d"]), path: path, indexes: indexes)
    }
}
