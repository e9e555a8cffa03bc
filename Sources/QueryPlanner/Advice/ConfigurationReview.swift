// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// What an index configuration lacks for some queries, and what these queries do not need.
package struct ConfigurationReview: Sendable {
    package struct Redundancy: Sendable {
        package let index: IndexDefinition
        /// The composites that serve its queries without it. Several are joined; automatic indexes are not listed.
        package let coveredBy: [IndexDefinition]
        /// Whether removing it makes some query use a join: fewer entries, but slower.
        package let needsJoin: Bool
    }

    /// The smallest additions that serve every query. Empty if all are served.
    package let additions: IndexConfiguration
    /// Composites that no query could use.
    package let unused: [IndexDefinition]
    /// Overrides that only add modes which no query needs.
    package let unusedOverrides: [FieldOverride]
    /// Composites that queries could use but do not need. They can all be removed together, along with the unused
    /// ones.
    package let redundant: [Redundancy]
}

extension IndexAdvisor {
    /// Compares a configuration with the queries. After all recommended changes, every query is served.
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
    /// This configuration with more indexes. Overrides replace those of the same fields.
    package func adding(_ other: IndexConfiguration) -> IndexConfiguration {
        let overrides = fieldOverrides.filter { old in
            !other.fieldOverrides.contains { $0.collectionGroup == old.collectionGroup && $0.path == old.path }
        }
        return IndexConfiguration(
            indexes: indexes + other.indexes, fieldOverrides: overrides + other.fieldOverrides)
    }
}

/// How many entries an index writes for a document that has all its fields (I-21, I-22).
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
