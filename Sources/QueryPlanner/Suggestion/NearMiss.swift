// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

/// An existing index that nearly serves a query.
package struct NearMiss: Hashable, Sendable {
    package let index: IndexDefinition
    /// The main reason why it does not serve, as a sentence.
    package let reason: String
}

/// Compares an index with the missing one, field by field.
struct IndexComparison {
    private let index: IndexDefinition
    private let isBuilding: Bool
    private let wanted: IndexDefinition
    private let extra: [IndexField]
    private let turned: [IndexField]
    private let missing: [IndexField]

    init(_ composite: IndexCatalog.Composite, wanted: IndexDefinition, equalities: [FieldPath]) {
        index = composite.definition
        isBuilding = composite.state == .building
        self.wanted = wanted
        extra = index.fields.filter { field in !wanted.fields.contains { $0.path == field.path } }
        missing = wanted.fields.filter { field in !composite.definition.fields.contains { $0.path == field.path } }
        turned = index.fields.filter { field in
            !wanted.fields.contains(field) && wanted.fields.contains { $0.path == field.path }
                && !(equalities.contains(field.path) && field.mode.direction != nil)
        }
    }

    /// Higher is closer. At most 0 if no field is shared.
    var rank: Int {
        let shared = index.fields.count - extra.count
        guard shared > 0 else { return 0 }
        let faults = missing.count + extra.count + turned.count + (servesScope ? 0 : 1) + (servesName ? 0 : 1)
        return max(1, 1_000 + 4 * shared - 2 * faults)
    }

    private var servesScope: Bool { index.scope == .collectionGroup || wanted.scope == .collection }
    private var servesName: Bool {
        index.nameDirection == wanted.nameDirection || wanted.fields.last?.isVector ?? false
    }

    var reason: String {
        if !servesScope { return "Its scope is COLLECTION; a collection group query needs COLLECTION_GROUP." }
        if let field = extra.first {
            return "It also has the field \(field.path): documents without that field are not in it."
        }
        if let field = turned.first, let wish = wanted.fields.first(where: { $0.path == field.path }) {
            return "It has \(field.path) as \(field.modeName), the query needs \(wish.modeName); an index is not read "
                + "backwards for an order."
        }
        if let field = missing.first { return "It lacks the field \(field.path)." }
        if !servesName {
            return
                "Its __name__ runs \(index.nameDirection.wireName), the query needs \(wanted.nameDirection.wireName)."
        }
        if isBuilding { return "It is still being built." }
        return "Its fields stand in another order: first come those compared with ==, then those of the query's order."
    }
}

extension IndexField {
    fileprivate var isVector: Bool { if case .vector = mode { true } else { false } }

    fileprivate var modeName: String {
        switch mode {
        case .order(let direction): direction.wireName
        case .contains: "CONTAINS"
        case .vector(let dimension): "a vector of dimension \(dimension)"
        }
    }
}
