// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import JSONText

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
        /// By slot.
        let contributions: [Contribution]
        let cost: AdviceCost
        /// The override that it needs. Options with the same number share it. Nil for a composite, and if the file
        /// already overrides the field.
        let override: Int?
        /// Its position in text order.
        let rank: Int

        var isComposite: Bool { if case .composite = index { true } else { false } }

        /// What it contributes to a slot.
        func contributions(to slot: Int) -> ArraySlice<Contribution> {
            let first = contributions.indices.partitioningIndex { contributions[$0].slot >= slot }
            return contributions[first...].prefix { $0.slot == slot }
        }
    }

    /// For each shape, the places to cover.
    private(set) var targets: [FieldSet] = []
    private(set) var slots: [[Int]] = []
    private(set) var shapeOfSlot: [Int] = []
    /// For each slot, the places that existing indexes cover.
    private(set) var covered: [FieldSet] = []
    private(set) var options: [Option] = []
    private(set) var effort = AdviceEffort()

    private let catalog: IndexCatalog
    private let isPerfect: Bool
    private var matchers: [CandidateMatcher] = []
    private var slotNumbers: [[FieldSet: Int]] = []
    /// The shapes that name a field, and those that name it or a field inside it.
    private var shapesByField: [FieldPath: [Int]] = [:]
    private var shapesByAncestor: [FieldPath: [Int]] = [:]

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
        for shape in targets.indices { noteFields(of: shape) }
        addExisting()
        addOptions(candidates, isKnown)
    }

    private mutating func noteFields(of shape: Int) {
        let fields = matchers[shape].requirement.fields
        for field in fields { shapesByField[field, default: []].append(shape) }
        let ancestors = fields.flatMap { field in
            (1...field.segments.count).map { FieldPath(Array(field.segments.prefix($0))) }
        }
        for ancestor in Set(ancestors) { shapesByAncestor[ancestor, default: []].append(shape) }
    }

    /// The shapes that an index can serve a part of, in order. Each of its fields is one of theirs (I-25); the effect of a
    /// single-field mode reaches the fields inside (I-9).
    private func shapes(sharing index: IndexReference) -> [Int] {
        switch index {
        case .composite(let definition):
            let sharing = definition.fields.map { shapesByField[$0.path] ?? [] }
            return sharing.min { $0.count < $1.count } ?? Array(targets.indices)
        case .automatic(_, let path, _): return shapesByAncestor[path] ?? []
        }
    }

    /// A shape without places gets one artificial place, which every index covers.
    private static func nonempty(_ set: FieldSet) -> FieldSet { set.isEmpty ? FieldSet(count: 1) : set }

    private func isServedByDocuments(_ shape: QueryShape) -> Bool {
        let requirement = shape.requirement
        return requirement.all.isEmpty && requirement.isNameOrder && requirement.vector == nil
            && requirement.nameDirection == .ascending
    }

    private mutating func addExisting() {
        var composites: [[IndexDefinition]] = Array(repeating: [], count: targets.count)
        for group in Set(matchers.map(\.collectionGroup)) {
            for composite in catalog.composites(of: group) {
                for shape in shapes(sharing: .composite(composite.definition))
                where matchers[shape].collectionGroup == group {
                    composites[shape].append(composite.definition)
                }
            }
        }
        for (shape, matcher) in matchers.enumerated() {
            effort.matches += 1 + composites[shape].count
            let candidates =
                matcher.automaticCandidates(catalog) + composites[shape].flatMap { matcher.candidates($0) }
            for contribution in contributions(candidates, to: shape) {
                covered[contribution.slot] = covered[contribution.slot].union(contribution.covered)
            }
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
            let sharing = shapes(sharing: candidate.index)
            effort.matches += sharing.count
            for shape in sharing {
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

    /// Some shapes and options by themselves, in the same order, so that a search among them costs nothing for the others.
    func part(_ shapes: [Int], _ options: [Int]) -> CoverProblem {
        let slots = shapes.flatMap { self.slots[$0] }.sorted()
        let slotNumbers = Dictionary(uniqueKeysWithValues: zip(slots, 0...))
        let shapeNumbers = Dictionary(uniqueKeysWithValues: zip(shapes, 0...))
        var part = self
        part.targets = shapes.map { targets[$0] }
        part.slots = shapes.map { self.slots[$0].compactMap { slotNumbers[$0] } }
        part.shapeOfSlot = slots.compactMap { shapeNumbers[shapeOfSlot[$0]] }
        part.covered = slots.map { covered[$0] }
        part.options = options.map { number in
            let option = self.options[number]
            let contributions = option.contributions.compactMap { contribution in
                slotNumbers[contribution.slot].map { Contribution(slot: $0, covered: contribution.covered) }
            }
            return Option(
                index: option.index, contributions: contributions, cost: option.cost, override: option.override,
                rank: option.rank)
        }
        return part
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

/// What advice took, in counts that are the same on every machine.
package struct AdviceEffort: Sendable, Equatable {
    /// Comparisons of an index with a shape or with another index, and the options that searches were prepared for.
    package var matches = 0
    /// Shapes that the search visited, counted at each branch.
    package var visits = 0
    /// Comparisons of what an index contributes with what a shape still needs.
    package var comparisons = 0

    static func += (left: inout AdviceEffort, right: AdviceEffort) {
        left.matches += right.matches
        left.visits += right.visits
        left.comparisons += right.comparisons
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
