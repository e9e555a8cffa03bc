// SPDX-License-Identifier: Apache-2.0

package import DocumentModel
package import IndexCatalog

/// Finds the indexes that serve a set of queries.
///
/// Only operators, fields, orders and scopes count, never values. Each collection group is solved independently.
package struct IndexAdvisor: Sendable {
    package enum Preference: Sendable {
        /// The smallest set. Queries may join indexes (I-33).
        case size
        /// The smallest set in which one index serves each shape alone, in one scan (I-26).
        case speed
    }

    package struct Advice: Sendable {
        /// Composites, and the overrides that queries need, next to the overrides that the given file keeps for other
        /// reasons.
        package var configuration: IndexConfiguration
        /// Whether the result is proved to be minimal. False if there were too many combinations to try.
        package let isExact: Bool
        package let effort: AdviceEffort
    }

    private let preference: Preference
    private(set) var shapes: [QueryShape] = []
    private var known: Set<QueryShape> = []

    package init(_ preference: Preference = .size) {
        self.preference = preference
    }

    /// The number of distinct index requirements of the queries.
    package var shapeCount: Int { shapes.count }

    /// - Throws: the reason why the query is invalid.
    package mutating func add(_ request: QueryRequest, database: DatabaseID) throws(InvalidQueryError) {
        add(try Planner.shapes(of: request, database: database))
    }

    package mutating func add(_ shapes: [QueryShape]) {
        for shape in shapes where known.insert(shape).inserted { self.shapes.append(shape) }
    }

    /// The smallest configuration under which production runs every query.
    ///
    /// Costs compare by the number of composites, then of overrides, then of fields and modes in them, then of
    /// changes to `file`, then by text. There are never more composites than shapes.
    ///
    /// Disabled modes, time-to-live settings and overrides of `*` in `file` are kept. A mode that `file` disables in
    /// collections is enabled only if no composite can serve instead.
    package func smallestConfiguration(replacing file: IndexConfiguration = IndexConfiguration()) -> Advice {
        let kept = file.withoutAdditions
        let extras = file.additions
        let existing = Set(file.indexes.map(IndexReference.composite)).union(extras)
        var candidates = IndexCandidates(shapes).found
        candidates.formUnion(existing.filter { !$0.isUnnecessary })
        return solve(candidates, over: kept, existing: existing)
    }

    /// The smallest additions to `file` under which production runs every query. The result is empty if it already
    /// does. Overrides replace or join those of the file.
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
            isExact: advice.isExact, effort: advice.effort)
    }

    /// The smallest part of `file` that serves the same queries as the whole.
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
        var effort = AdviceEffort()
        var modes: [FieldOverrideTarget: Set<SingleFieldIndex>] = [:]
        let groups = Dictionary(grouping: candidates, by: \.collectionGroup)
        let byGroup = Dictionary(grouping: shapes, by: \.collectionGroup)
        for (group, members) in byGroup.sorted(by: { $0.key < $1.key }) {
            let problem = CoverProblem(
                members, candidates: Set(groups[group] ?? []), catalog: catalog, isPerfect: preference == .speed,
                isKnown: existing.contains)
            let search = CoverSearch(problem)
            isExact = isExact && search.isExact
            effort += search.effort
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
        return Advice(configuration: configuration, isExact: isExact, effort: effort)
    }
}

extension [FieldOverride] {
    /// The override in force for the same field: the last one.
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

    /// Whether production refuses it because an automatic index is enough (J-32).
    fileprivate var isUnnecessary: Bool {
        if case .composite(let definition) = self { definition.equivalentAutomatic != nil } else { false }
    }
}

extension IndexConfiguration {
    /// The overrides of single fields that disable modes or set a time to live. Composites and added modes are left
    /// out.
    var withoutAdditions: IndexConfiguration { split.kept }

    /// The modes that overrides of single fields add.
    var additions: Set<IndexReference> { split.added }

    private var split: (kept: IndexConfiguration, added: Set<IndexReference>) {
        var kept = fieldOverrides.filter { $0.path == nil }
        var additions: Set<IndexReference> = []
        let fields = fieldOverrides.filter { $0.path != nil }
            .sorted { ($0.path?.segments.count ?? 0) < ($1.path?.segments.count ?? 0) }
        var outer = kept
        for override in fields {
            guard let path = override.path else { continue }
            defer { outer.append(override) }
            let inherited = IndexCatalog(composites: [], fieldOverrides: kept)
                .singleFieldIndexes(of: path, in: override.collectionGroup)
            for index in override.indexes.subtracting(inherited) {
                additions.insert(.automatic(collectionGroup: override.collectionGroup, path: path, index: index))
            }
            let rest = override.indexes.intersection(inherited)
            if rest == inherited, override.timeToLive == nil {
                // One that only repeats the automatic modes shields its field from what one around it adds (I-10).
                let added = IndexCatalog(composites: [], fieldOverrides: outer)
                    .singleFieldIndexes(of: path, in: override.collectionGroup)
                guard !added.isSubset(of: override.indexes) else { continue }
            }
            kept.append(
                FieldOverride(
                    collectionGroup: override.collectionGroup, path: path, indexes: rest,
                    timeToLive: override.timeToLive))
        }
        return (IndexConfiguration(fieldOverrides: kept), additions)
    }
}
