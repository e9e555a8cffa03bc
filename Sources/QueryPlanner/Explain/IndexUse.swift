// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
package import IndexCatalog

/// An index as production's query explanation lists it (P-10, P-11).
package struct IndexUse: Hashable, Sendable {
    /// `Collection` or `Collection group`.
    package let queryScope: String
    /// `(category ASC, __name__ ASC)`
    package let properties: String
}

extension QueryPlan {
    /// The indexes that production lists, one entry for each scan: disjunct by disjunct, the members of a join in
    /// their order, `!=` twice, and `not-in` once more than it has values (P-12).
    package var indexesUsed: [IndexUse] {
        disjuncts.flatMap { disjunct in
            switch disjunct.access {
            case .documents(let scan), .fullScan(let scan): [scan.use]
            case .index(let scan), .nearest(let scan): scan.uses
            case .join(let scans): scans.flatMap(\.uses)
            }
        }
    }
}

extension QueryPlan {
    /// The composite indexes that production uses.
    package var compositesUsed: Set<IndexDefinition> {
        Set(
            disjuncts.flatMap { disjunct in
                switch disjunct.access {
                case .documents, .fullScan: [IndexDefinition]()
                case .index(let scan), .nearest(let scan): [scan].compactMap(\.composite)
                case .join(let scans): scans.compactMap(\.composite)
                }
            })
    }
}

extension IndexScan {
    fileprivate var composite: IndexDefinition? {
        if case .composite(let definition) = index { definition } else { nil }
    }
}

extension DocumentScan {
    fileprivate var use: IndexUse {
        IndexUse(
            queryScope: scope.isGroup ? "Collection group" : "Collection",
            properties: backwards ? "(__name__ DESC)" : "(__name__ ASC)")
    }
}

extension IndexScan {
    fileprivate var uses: [IndexUse] {
        let use = IndexUse(
            queryScope: index.scope == .collectionGroup ? "Collection group" : "Collection", properties: properties)
        return Array(repeating: use, count: productionScanCount)
    }

    /// The index as used: the mode of an automatic index and the direction of its names.
    var properties: String {
        switch index {
        case .composite(let definition): return definition.properties
        case .automatic(_, let path, let index):
            let definition = index.definition(of: path, in: "")
            // An array index serves both directions (I-4).
            guard index.mode == .contains, backwards else { return definition.properties }
            return IndexDefinition(
                collectionGroup: "", scope: index.scope, fields: definition.fields, nameDirection: .descending
            ).properties
        }
    }
}

extension IndexReference {
    fileprivate var scope: QueryScope {
        switch self {
        case .automatic(_, _, let index): index.scope
        case .composite(let definition): definition.scope
        }
    }
}

extension DocumentScope {
    /// Whether it reads collections at any depth.
    fileprivate var isGroup: Bool {
        switch self {
        case .collection, .children: false
        case .collectionGroup, .descendants: true
        }
    }
}
