// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Choosing indexes that serve every shape, as a set cover problem.
///
/// A shape is served if indexes that leave out the same orders together cover all its places (I-33). Each set of
/// left-out orders is a slot.
struct CoverProblem {
    struct Contribution: Hashable {
        let slot: Int
        let covered: FieldSet
    }

    /// An index that can be chosen.
    struct Option {
        let index: IndexReference
        let contributions: [Contribution]
        let cost: AdviceCost
        /// The override that it needs. Options with the same number share it. Nil for a composite, and if the file
        /// already overrides the field.
        let override: Int?
        /// Its position in text order.
        let rank: Int

        var isComposite: Bool { if case .composite = index { true } else { false } }
    }

    /// For each shape, the places to cover.
    private(set) var targets: [FieldSet] = []
    private(set) var slots: [[Int]] = []
    private(set) var shapeOfSlot: [Int] = []
    /// For each slot, the places that existing indexes cover.
    private(set) var covered: [FieldSet] = []
    private(set) var options: [Option] = []

    private let catalog: IndexCatalog
    private let isPerfect: Bool
    private var matchers: [CandidateMatcher] = []
    private var slotNumbers: [[FieldSet: Int]] = []

    /// - Parameters:
    ///   - catalog: the indexes that exist at no cost.
    ///   - isPerfect: whether each shape needs one index that serves it alone.
    ///   - isKnown: whether the file already has an index.
    init(
        _ shapes: [QueryShape], candidates: Set<IndexReference>, catalog: IndexCatalog, isPerfect: Bool,
        isKnown: (IndexReference) -> Bool
    ) {
        self.catalog = catalog
        self.isPerfect = isPerfect
        for shape in shapes where !isServedByDocuments(shape) {
            matchers.append(shape.matcher)
            targets.append(CoverProblem.nonempty(shape.requirement.all))
            slots.append([])
            slotNumbers.append([:])
        }
        for shape in targets.indices { addExisting(shape) }
        addOptions(candidates, isKnown)
    }

    /// A shape without places gets one artificial place, which every index covers.
    private static func nonempty(_ set: FieldSet) -> FieldSet { set.isEmpty ? FieldSet(count: 1) : set }

    private func isServedByDocuments(_ shape: QueryShape) -> Bool {
        let requirement = shape.requirement
        return requirement.all.isEmpty && requirement.isNameOrder && requirement.vector == nil
            && requirement.nameDirection == .ascending
    }

    private mutating func addExisting(_ shape: Int) {
        let matcher = matchers[shape]
        var candidates = matcher.automaticCandidates(catalog)
        let composites = catalog.composites(of: matcher.collectionGroup, startingWith: matcher.possibleFirstFields)
        for composite in composites { candidates += matcher.candidates(composite.definition) }
        for contribution in contributions(candidates, to: shape) {
            covered[contribution.slot] = covered[contribution.slot].union(contribution.covered)
        }
    }

    private mutating func contributions(_ candidates: [Candidate], to shape: Int) -> [Contribution] {
        let all = matchers[shape].requirement.all
        let needsOne = isPerfect || matchers[shape].requirement.vector != nil
        return candidates.filter { !needsOne || $0.covered == all }.map { candidate in
            Contribution(
                slot: slot(of: shape, candidate.dropped), covered: CoverProblem.nonempty(candidate.covered))
        }
    }

    private mutating func slot(of shape: Int, _ dropped: FieldSet) -> Int {
        if let known = slotNumbers[shape][dropped] { return known }
        slotNumbers[shape][dropped] = covered.count
        slots[shape].append(covered.count)
        shapeOfSlot.append(shape)
        covered.append(FieldSet())
        return covered.count - 1
    }

    private mutating func addOptions(_ candidates: Set<IndexReference>, _ isKnown: (IndexReference) -> Bool) {
        let sorted = candidates.map { (index: $0, text: $0.text) }.sorted { $0.text < $1.text }
        var overrides: [FieldOverrideTarget: Int] = [:]
        for (rank, candidate) in sorted.enumerated() {
            var contributions: Set<Contribution> = []
            let extended = catalog(with: candidate.index)
            for shape in targets.indices {
                let found = self.candidates(candidate.index, shape, extended)
                contributions.formUnion(self.contributions(found, to: shape))
            }
            contributions = contributions.filter { !$0.covered.subtracting(covered[$0.slot]).isEmpty }
            guard !contributions.isEmpty else { continue }
            let override = candidate.index.overrideTarget.flatMap { target -> Int? in
                guard !catalog.hasOverride(of: target) else { return nil }
                return overrides[target, default: overrides.count]
            }
            if let override, let target = candidate.index.overrideTarget { overrides[target] = override }
            options.append(
                Option(
                    index: candidate.index, contributions: contributions.sorted { $0.slot < $1.slot },
                    cost: AdviceCost(candidate.index, isKnown: isKnown(candidate.index)), override: override, rank: rank
                ))
        }
    }

    private func catalog(with index: IndexReference) -> IndexCatalog {
        guard case .automatic(let group, let path, let single) = index else { return catalog }
        return catalog.adding([single], to: path, in: group)
    }

    /// - Parameter extended: the catalog with `index` added, if that is a single-field index.
    private func candidates(_ index: IndexReference, _ shape: Int, _ extended: IndexCatalog) -> [Candidate] {
        let matcher = matchers[shape]
        switch index {
        case .composite(let definition):
            return definition.collectionGroup == matcher.collectionGroup ? matcher.candidates(definition) : []
        case .automatic(let group, _, let single):
            guard group == matcher.collectionGroup, single.scope == matcher.scope else { return [] }
            // The effect of one more mode does not depend on the other modes.
            return matcher.automaticCandidates(extended)
        }
    }
}

/// The cost that advice minimizes. The first difference decides; ties are decided by text order.
struct AdviceCost: Comparable {
    var composites = 0
    var overrides = 0
    /// Fields of composites, and modes of overrides.
    var fields = 0
    /// Indexes that the current file does not have.
    var changes = 0

    init() {}

    init(_ index: IndexReference, isKnown: Bool) {
        switch index {
        case .composite(let definition):
            composites = 1
            fields = definition.fields.count
        case .automatic: fields = 1
        }
        changes = isKnown ? 0 : 1
    }

    static func < (left: AdviceCost, right: AdviceCost) -> Bool {
        (left.composites, left.overrides, left.fields, left.changes)
            < (right.composites, right.overrides, right.fields, right.changes)
    }

    mutating func add(_ other: AdviceCost) {
        composites += other.composites
        overrides += other.overrides
        fields += other.fields
        changes += other.changes
    }
}

struct FieldOverrideTarget: Hashable {
    let collectionGroup: Text
    let path: FieldPath
}

extension IndexReference {
    /// The text that orders advice.
    var text: String {
        switch self {
        case .composite(let definition):
            "\(definition.collectionGroup) \(definition.scope.wireName) \(definition.properties)"
        case .automatic(let group, let path, let index):
            "\(group) \(index.scope.wireName) \(index.properties(of: path))"
        }
    }

    var overrideTarget: FieldOverrideTarget? {
        guard case .automatic(let group, let path, _) = self else { return nil }
        return FieldOverrideTarget(collectionGroup: group, path: path)
    }
}

extension IndexCatalog {
    func hasOverride(of target: FieldOverrideTarget) -> Bool {
        fieldOverrides.contains { $0.collectionGroup == target.collectionGroup && $0.path == target.path }
    }

    /// This catalog with more modes for one field.
    func adding(_ indexes: Set<SingleFieldIndex>, to path: FieldPath, in collectionGroup: Text) -> IndexCatalog {
        let known = fieldOverrides.last { $0.collectionGroup == collectionGroup && $0.path == path }
        let override = FieldOverride(
            collectionGroup: collectionGroup, path: path,
            indexes: singleFieldIndexes(of: path, in: collectionGroup).union(indexes),
            timeToLive: known?.timeToLive)
        return IndexCatalog(
            composites: composites,
            fieldOverrides: fieldOverrides.filter { $0.collectionGroup != collectionGroup || $0.path != path }
                + [override])
    }
}
