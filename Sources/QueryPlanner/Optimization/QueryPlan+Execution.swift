// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Other ways to find the rows of a disjunct.
package struct AccessAlternatives: Sendable {
    /// One index, read backwards, that covers everything the members of a join cover.
    package let backwards: DisjunctPlan?
    /// Scans that contain every row and perhaps other documents.
    package let scans: [AccessPath]
}

extension QueryPlan {
    /// The best way to run the plan: as planned if every entry read is a row, otherwise a choice that execution
    /// makes.
    package var execution: ExecutionPlan {
        if let hinted { return execution(hinted) }
        let strategies = disjuncts.indices.map { strategy(for: $0) }
        return ExecutionPlan(self, strategies: strategies, union: sequence.map { .sequence($0) } ?? .merge)
    }

    /// Over the index of the hint: sorted, unless production reads the same index.
    private func execution(_ hinted: [AccessPath]) -> ExecutionPlan {
        let strategies = zip(disjuncts, hinted).map { disjunct, wanted -> AccessStrategy in
            switch (disjunct.access, wanted) {
            case (.documents, .documents): .planned
            case (.index(let own), .index(let scan)) where own.index == scan.index: .planned
            default: .sorted([wanted])
            }
        }
        return ExecutionPlan(self, strategies: strategies, union: .merge)
    }

    private func strategy(for position: Int) -> AccessStrategy {
        if let backwards = prepared.backwards(query.disjuncts[position], of: query) { return .backwards(backwards) }
        let planned = disjuncts[position].access
        guard planned.hasResidualFilter else { return .planned }
        let alternatives = alternativeScans(for: position)
        guard !alternatives.isEmpty else { return .planned }
        if case .fullScan(let scan) = planned { return .sorted(alternatives + [.documents(scan)]) }
        return .adaptive(alternatives: alternatives, budget: QueryPlan.budget)
    }

    /// The number of entries that a plan may reject before the alternative scans start: about the cost of starting
    /// them.
    private static let budget = 64

    package func alternatives(to position: Int) -> AccessAlternatives {
        AccessAlternatives(
            backwards: prepared.backwards(query.disjuncts[position], of: query), scans: alternativeScans(for: position))
    }

    private func alternativeScans(for position: Int) -> [AccessPath] {
        let from = query.query.from
        // A kindless query has no indexes.
        guard let group = from.collectionID else { return [] }
        let finder = AlternativeScanFinder(
            query.disjuncts[position], query.orders, prepared.catalog, group,
            from.allDescendants ? .collectionGroup : .collection)
        return finder.scans(besides: disjuncts[position].access, names: query.names)
    }

    /// The disjuncts in an order in which their rows can be concatenated; nil if they must be merged.
    package var sequence: [Int]? {
        guard disjuncts.count > 1, query.query.nearest == nil else { return nil }
        return sequenceByConstants ?? (needsNoOrder ? Array(disjuncts.indices) : nil)
    }

    /// The query's first orders are fields that each disjunct binds to distinct values: `in` ordered by its own
    /// field.
    private var sequenceByConstants: [Int]? {
        let keys = disjuncts.map(\.leadingConstants)
        let count = keys.reduce(Int.max) { min($0, $1.count) }
        guard count > 0 else { return nil }
        let heads = keys.map { Array($0.prefix(count).joined()) }
        let order = heads.indices.sorted { compareBytes(heads[$0], heads[$1]) < 0 }
        let areDistinct = zip(order, order.dropFirst()).allSatisfy { heads[$0] != heads[$1] }
        return areDistinct ? order : nil
    }

    /// An aggregation over all rows, in which each disjunct binds one field to a distinct value.
    private var needsNoOrder: Bool {
        guard !query.aggregations.isEmpty, query.limit == nil, query.offset == 0 else { return false }
        let bound = query.disjuncts.map(\.equalities)
        return bound[0].contains { equality in
            let keys = bound.compactMap { disjunct in disjunct.first { $0.path == equality.path } }
                .map { FilterBounds.key($0.value) }
            return keys.count == bound.count && Set(keys).count == keys.count
        }
    }
}

extension DisjunctPlan {
    fileprivate var leadingConstants: [[UInt8]] {
        sortKey.prefix { if case .constant = $0 { true } else { false } }.map { part in
            if case .constant(let bytes) = part { bytes } else { [] }
        }
    }
}
