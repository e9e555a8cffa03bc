// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

/// An existing index that nearly serves a query.
package struct NearMiss: Hashable, Sendable {
    package let index: IndexDefinition
    /// A sentence: the one thing to blame.
    package let reason: String
}

extension NearMiss {
    /// The composite of the collection group that shares most fields with the wanted index; nil where none shares any, and
    /// for a single-field matter.
    init?(of wanted: IndexDefinition, demand: Demand, selector: IndexSelector) {
        guard IndexSuggestion.singleFieldIndex(wanted) == nil else { return nil }
        var best: (rank: Int, index: IndexDefinition, reason: String)?
        for composite in selector.catalog.composites(of: wanted.collectionGroup) {
            let definition = composite.definition
            let comparison = Comparison(definition, wanted: wanted, demand: demand)
            guard comparison.shared > 0 else { continue }
            let rank = 4 * comparison.shared - 2 * comparison.faults
            guard rank > best?.rank ?? .min else { continue }
            best = (rank, definition, comparison.reason(isBuilding: composite.state == .building))
        }
        guard let best else { return nil }
        self.init(index: best.index, reason: best.reason)
    }
}

/// One index against the wanted one, field by field.
private struct Comparison {
    let index: IndexDefinition
    let wanted: IndexDefinition
    let demand: Demand
    /// Fields of the query that the index has, whatever their mode and place.
    let shared: Int
    private let missing: [IndexField]
    private let extra: [IndexField]
    private let turned: [IndexField]

    init(_ index: IndexDefinition, wanted: IndexDefinition, demand: Demand) {
        self.index = index
        self.wanted = wanted
        self.demand = demand
        let paths = Set(wanted.fields.map(\.path))
        shared = Set(index.fields.map(\.path)).intersection(paths).count
        missing = wanted.fields.filter { field in !index.fields.contains { $0.path == field.path } }
        extra = index.fields.filter { !paths.contains($0.path) }
        turned = index.fields.filter { field in
            !wanted.fields.contains(field) && paths.contains(field.path)
                && !(demand.equalities.contains(field.path) && field.isOrdered)
        }
    }

    var faults: Int {
        missing.count + extra.count + turned.count + (serves ? 0 : 1) + (nameDirectionFits ? 0 : 1)
    }

    private var serves: Bool { index.scope == .collectionGroup || wanted.scope == .collection }
    private var nameDirectionFits: Bool { index.nameDirection == wanted.nameDirection || demand.vector != nil }

    func reason(isBuilding: Bool) -> String {
        if !serves { return "Its scope is COLLECTION; a collection group query needs COLLECTION_GROUP." }
        if let field = extra.first {
            return "It also has the field \(field.path): documents without that field are not in it."
        }
        if let field = turned.first, let wish = wanted.fields.first(where: { $0.path == field.path }) {
            return
                "It has \(field.path) as \(field.modeName), the query needs \(wish.modeName); indexes are not read backwards."
        }
        if let field = missing.first { return "It lacks the field \(field.path)." }
        if !nameDirectionFits {
            return
                "Its __name__ runs \(modeName(index.nameDirection)), the query needs \(modeName(wanted.nameDirection))."
        }
        if isBuilding { return "It is still being built." }
        return
            "Its fields stand in another order: first those compared with ==, then those that the query is ordered by."
    }
}

extension IndexField {
    fileprivate var isOrdered: Bool { if case .order = mode { true } else { false } }

    fileprivate var modeName: String {
        switch mode {
        case .order(let direction): QueryPlanner.modeName(direction)
        case .contains: "CONTAINS"
        case .vector(let dimension): "a vector of dimension \(dimension)"
        }
    }
}

private func modeName(_ direction: Direction) -> String { direction == .ascending ? "ASCENDING" : "DESCENDING" }
