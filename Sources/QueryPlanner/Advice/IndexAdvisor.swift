// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// From queries to the indexes that serve them.
///
/// Only operators, fields, orders and scopes count, never values. A group's indexes are decided by themselves.
package struct IndexAdvisor: Sendable {
    package enum Preference: Sendable {
        /// The smallest set: indexes are joined where joining is enough (I-33).
        case size
        /// For each shape an index that serves it alone in one scan (I-26), and of these sets the smallest.
        case speed
    }

    package struct Advice: Sendable {
        /// Composites, and the overrides that queries need beside those that the given file has for other reasons.
        package var configuration: IndexConfiguration
        /// Whether it is proved that nothing smaller serves; false where there were too many ways to try them all.
        package let isExact: Bool
    }

    private let preference: Preference
    private(set) var shapes: [QueryShape] = []
    private var known: Set<QueryShape> = []

    package init(_ preference: Preference = .size) {
        self.preference = preference
    }

    /// How many different requirements the queries make on indexes.
    package var shapeCount: Int { shapes.count }

    /// - Throws: what is wrong with a query that no index could serve.
    package mutating func add(_ request: QueryRequest, database: DatabaseID) throws(InvalidQueryError) {
        for shape in try Planner.shapes(of: request, database: database) where known.insert(shape).inserted {
            shapes.append(shape)
        }
    }

    /// The smallest configuration under which production runs every query.
    ///
    /// Smallest: the fewest composites, then the fewest overrides, then the fewest fields and modes in them, then what
    /// changes least in `file`, then text order. Never more composites than shapes.
    ///
    /// What `file` switches off, its time-to-live settings and its overrides of `*` stay as they are; a mode that it
    /// switches off in collections is switched on again only where no composite could serve instead.
    package func smallestConfiguration(replacing file: IndexConfiguration = IndexConfiguration()) -> Advice {
        let kept = file.withoutAdditions
        let extras = file.additions
        let existing = Set(file.indexes.map(IndexReference.composite)).union(extras)
        var candidates = IndexCandidates(shapes).found
        candidates.formUnion(existing.filter { !$0.isUnnecessary })
        return solve(candidates, over: kept, existing: existing)
    }

    /// The fewest additions to `file` under which production runs every query: nothing if it does so already. Overrides are
    /// those that replace or join the file's.
    package func additions(to file: IndexConfiguration) -> Advice {
        let advice = solve(IndexCandidates(shapes).found, over: file, existing: [])
        let overrides = advice.configuration.fieldOverrides
        let known = Set(file.indexes)
        return Advice(
            configuration: IndexConfiguration(
                indexes: advice.configuration.indexes.filter { !known.contains($0) },
                fieldOverrides: overrides.filter {
                    overrides.inForce(inPlaceOf: $0) == $0 && file.fieldOverrides.inForce(inPlaceOf: $0) != $0
                }),
            isExact: advice.isExact)
    }

    /// The smallest part of `file` under which production runs what it runs under the whole, of those queries.
    func smallestPart(of file: IndexConfiguration) -> IndexConfiguration {
        let catalog = IndexCatalog(file)
        var served = self
        served.shapes = shapes.filter { serves($0, catalog) }
        let existing = Set(file.indexes.map(IndexReference.composite)).union(file.additions)
        return served.solve(existing, over: file.withoutAdditions, existing: existing).configuration
    }

    func serves(_ shape: QueryShape, _ catalog: IndexCatalog) -> Bool {
        let selector = IndexSelector(catalog: catalog, collectionGroup: shape.collectionGroup, scope: shape.scope)
        guard let selection = selector.selection(for: shape.requirement) else { return false }
        guard preference == .speed, case .indexes(let members) = selection else { return true }
        return members.count == 1
    }

    private func solve(
        _ candidates: Set<IndexReference>, over base: IndexConfiguration, existing: Set<IndexReference>
    ) -> Advice {
        var catalog = IndexCatalog(base)
        var configuration = base
        var isExact = true
        var modes: [FieldOverrideTarget: Set<SingleFieldIndex>] = [:]
        let groups = Dictionary(grouping: candidates, by: \.collectionGroup)
        let byGroup = Dictionary(grouping: shapes, by: \.collectionGroup)
        for (group, members) in byGroup.sorted(by: { $0.key < $1.key }) {
            let problem = CoverProblem(
                members, candidates: Set(groups[group] ?? []), catalog: catalog, isPerfect: preference == .speed,
                isKnown: existing.contains)
            let search = CoverSearch(problem)
            isExact = isExact && search.isExact
            for index in search.chosen {
                switch index {
                case .composite(let definition): configuration.indexes.append(definition)
                case .automatic(_, _, let single): modes[index.overrideTarget!, default: []].insert(single)
                }
            }
        }
        for (target, indexes) in modes.sorted(by: { $0.key.path.segments.count < $1.key.path.segments.count }) {
            catalog = catalog.adding(indexes, to: target.path, in: target.collectionGroup)
        }
        configuration.fieldOverrides = catalog.fieldOverrides
        return Advice(configuration: configuration, isExact: isExact)
    }
}

extension [FieldOverride] {
    /// The one for the same field that counts, which is the last of several.
    fileprivate func inForce(inPlaceOf override: FieldOverride) -> FieldOverride? {
        last { $0.collectionGroup == override.collectionGroup && $0.path == override.path }
    }
}

extension IndexReference {
    var collectionGroup: Text {
        switch self {
        case .composite(let definition): definition.collectionGroup
        case .automatic(let group, _, _): group
        }
    }

    /// Whether production refuses it, because it is a single-field index (J-32).
    fileprivate var isUnnecessary: Bool {
        if case .composite(let definition) = self { definition.equivalentAutomatic != nil } else { false }
    }
}

extension IndexConfiguration {
    /// What its overrides of single fields take away or say about expiry, without composites and without the modes that they
    /// add.
    var withoutAdditions: IndexConfiguration { split.kept }

    /// The modes that its overrides of single fields add.
    var additions: Set<IndexReference> { split.added }

    private var split: (kept: IndexConfiguration, added: Set<IndexReference>) {
        var kept = fieldOverrides.filter { $0.path == nil }
        var added: Set<IndexReference> = []
        let fields = fieldOverrides.filter { $0.path != nil }
            .sorted { ($0.path?.segments.count ?? 0) < ($1.path?.segments.count ?? 0) }
        for override in fields {
            guard let path = override.path else { continue }
            let inherited = IndexCatalog(composites: [], fieldOverrides: kept)
                .singleFieldIndexes(of: path, in: override.collectionGroup)
            for index in override.indexes.subtracting(inherited) {
                added.insert(.automatic(collectionGroup: override.collectionGroup, path: path, index: index))
            }
            let rest = override.indexes.intersection(inherited)
            guard rest != inherited || override.timeToLive != nil else { continue }
            kept.append(
                FieldOverride(
                    collectionGroup: override.collectionGroup, path: path, indexes: rest,
                    timeToLive: override.timeToLive))
        }
        return (IndexConfiguration(fieldOverrides: kept), added)
    }
}
