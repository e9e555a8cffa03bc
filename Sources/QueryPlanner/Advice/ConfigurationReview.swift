// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// What a configuration lacks and what it could do without, for some queries.
package struct ConfigurationReview: Sendable {
    package struct Redundancy: Sendable {
        package let index: IndexDefinition
        /// What serves its queries without it, beside automatic indexes; several where they are joined.
        package let coveredBy: [IndexDefinition]
        /// Whether some query then joins indexes that this one serves alone: smaller, but slower.
        package let needsJoin: Bool
    }

    /// The fewest entries without which a query is refused; empty if all are served.
    package let additions: IndexConfiguration
    /// Composites that no query could use.
    package let unused: [IndexDefinition]
    /// Overrides that add modes which no query needs.
    package let unusedOverrides: [FieldOverride]
    /// Composites that queries could use and do not need. All of them can go together, with the unused ones.
    package let redundant: [Redundancy]
}

extension IndexAdvisor {
    /// Compares a file with the queries. With the additions and without what is unused or redundant, every query is served.
    package func review(_ file: IndexConfiguration) -> ConfigurationReview {
        let additions = additions(to: file).configuration
        let whole = file.adding(additions)
        let part = smallestPart(of: whole)
        let (kept, catalog) = (Set(part.indexes), IndexCatalog(part))
        var unused: [IndexDefinition] = []
        var redundant: [ConfigurationReview.Redundancy] = []
        for index in file.indexes where !kept.contains(index) {
            let users = shapes.filter {
                !$0.matcher.candidates(index).isEmpty && $0.collectionGroup == index.collectionGroup
            }
            if users.isEmpty { unused.append(index) } else { redundant.append(redundancy(index, users, catalog)) }
        }
        return ConfigurationReview(
            additions: additions, unused: unused, unusedOverrides: idleOverrides(in: file, keeping: part),
            redundant: redundant)
    }

    private func redundancy(
        _ index: IndexDefinition, _ users: [QueryShape], _ catalog: IndexCatalog
    ) -> ConfigurationReview.Redundancy {
        var coveredBy: [IndexDefinition] = []
        var needsJoin = false
        for shape in users {
            let selector = IndexSelector(catalog: catalog, collectionGroup: shape.collectionGroup, scope: shape.scope)
            guard case .indexes(let members)? = selector.selection(for: shape.requirement) else { continue }
            if members.count > 1,
                shape.matcher.candidates(index).contains(where: { $0.covered == shape.requirement.all })
            {
                needsJoin = true
            }
            for member in members {
                if case .composite(let other) = member.index, !coveredBy.contains(other) { coveredBy.append(other) }
            }
        }
        return ConfigurationReview.Redundancy(index: index, coveredBy: coveredBy, needsJoin: needsJoin)
    }

    private func idleOverrides(in file: IndexConfiguration, keeping part: IndexConfiguration) -> [FieldOverride] {
        let needed = part.additions
        let idle = file.additions.filter { !needed.contains($0) }
        let targets = Set(idle.compactMap(\.overrideTarget))
        return file.fieldOverrides.filter { override in
            override.path.map {
                targets.contains(FieldOverrideTarget(collectionGroup: override.collectionGroup, path: $0))
            } ?? false
        }
    }
}

extension IndexConfiguration {
    /// With further indexes, and overrides in place of those of the same fields.
    package func adding(_ other: IndexConfiguration) -> IndexConfiguration {
        let overrides = fieldOverrides.filter { old in
            !other.fieldOverrides.contains { $0.collectionGroup == old.collectionGroup && $0.path == old.path }
        }
        return IndexConfiguration(
            indexes: indexes + other.indexes, fieldOverrides: overrides + other.fieldOverrides)
    }
}

/// How many entries an index costs each document that has all its fields (I-21, I-22).
package enum EntryCost: Sendable, Hashable {
    case one
    case onePerElement(of: FieldPath)

    package init(_ definition: IndexDefinition) {
        let array = definition.fields.first { $0.mode == .contains }?.path
        self = array.map { .onePerElement(of: $0) } ?? .one
    }

    /// `1 entry per document`, `1 entry per distinct element of "tags" in each document`
    package var text: String {
        switch self {
        case .one: "1 entry per document"
        case .onePerElement(let path): "1 entry per distinct element of \"\(path.wire)\" in each document"
        }
    }
}
