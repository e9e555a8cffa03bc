// SPDX-License-Identifier: Apache-2.0

/// Finds the cheapest options that serve every shape of a ``CoverProblem``, by branch and bound.
struct CoverSearch {
    /// The number of shapes that a search of one part may visit, counted at each branch, before it returns the best
    /// solution so far. It suffices to solve about twenty shapes exactly and limits thousands of shapes to a few
    /// seconds.
    static let budget = 4_000_000

    /// Whether the result is proved to be optimal.
    private(set) var isExact = true
    private(set) var chosen: [IndexReference] = []
    private(set) var effort: AdviceEffort

    init(_ problem: CoverProblem) {
        effort = problem.effort
        for independent in Part.split(problem) {
            let problem = problem.part(independent.shapes, independent.options)
            let part = Part(shapes: Array(problem.targets.indices), options: Array(problem.options.indices))
            // Minimizing only the number of composites is a much smaller problem. Its solution prunes most of the
            // full search.
            let (strongest, comparisons) = part.strongest(problem)
            effort.matches += comparisons
            var first = CoverBranch(problem, strongest)
            first.search()
            var second = CoverBranch(problem, part, startingWith: first.best)
            second.search()
            if second.isExhausted { isExact = false }
            effort += first.effort
            effort += second.effort
            chosen += second.best.map { problem.options[$0].index }
        }
    }

    /// An independent part of the problem: shapes that share options, and these options.
    struct Part {
        var shapes: [Int]
        var options: [Int]

        static func split(_ problem: CoverProblem) -> [Part] {
            var leader = Array(problem.targets.indices)
            func root(_ shape: Int) -> Int {
                var shape = shape
                while leader[shape] != shape {
                    // Chains stay short.
                    leader[shape] = leader[leader[shape]]
                    shape = leader[shape]
                }
                return shape
            }
            var shapeOfOverride: [Int: Int] = [:]
            for option in problem.options {
                var linked = option.contributions.map { problem.shapeOfSlot[$0.slot] }
                if let override = option.override {
                    linked.append(shapeOfOverride[override, default: linked[0]])
                    shapeOfOverride[override] = linked[0]
                }
                for shape in linked { leader[root(shape)] = root(linked[0]) }
            }
            var parts: [Int: Part] = [:]
            for shape in leader.indices {
                parts[root(shape), default: Part(shapes: [], options: [])].shapes.append(shape)
            }
            for (number, option) in problem.options.enumerated() {
                parts[root(problem.shapeOfSlot[option.contributions[0].slot])]?.options.append(number)
            }
            return parts.values.sorted { $0.shapes[0] < $1.shapes[0] }
        }

        /// The part without options that contribute no more than another one, whatever their number of fields,
        /// and how often two options were compared.
        func strongest(_ problem: CoverProblem) -> (Part, comparisons: Int) {
            // Only options that contribute to the first slot of another one can contribute as much.
            var composites: [Int: [Int]] = [:]
            for option in options where problem.options[option].isComposite {
                for slot in Set(problem.options[option].contributions.map(\.slot)) {
                    composites[slot, default: []].append(option)
                }
            }
            var comparisons = 0
            func rivals(_ option: Int) -> [Int] {
                let rivals = composites[problem.options[option].contributions[0].slot] ?? []
                comparisons += rivals.count
                return rivals.filter { $0 != option }
            }
            var kept: [Int] = []
            var isKept = Array(repeating: false, count: problem.options.count)
            let bySize = options.sorted { left, right in
                let (a, b) = (problem.options[left], problem.options[right])
                return (a.contributions.count, b.rank) > (b.contributions.count, a.rank)
            }
            for option in bySize where !problem.options[option].isComposite { kept.append(option) }
            for option in bySize where problem.options[option].isComposite {
                let weak = problem.options[option]
                guard !rivals(option).contains(where: { isKept[$0] && weak.addsNothing(to: problem.options[$0]) })
                else {
                    continue
                }
                kept.append(option)
                isKept[option] = true
            }
            let reduced = kept.filter { option in
                let weak = problem.options[option]
                return !weak.isComposite
                    || !rivals(option).contains { other in
                        isKept[other] && weak.addsNothing(to: problem.options[other])
                            && !problem.options[other].addsNothing(to: weak)
                    }
            }
            return (Part(shapes: shapes, options: reduced), comparisons)
        }
    }
}

extension CoverProblem.Option {
    func addsNothing(to other: CoverProblem.Option) -> Bool {
        contributions.allSatisfy { mine in
            other.contributions(to: mine.slot).contains { mine.covered.subtracting($0.covered).isEmpty }
        }
    }
}

/// One branch and bound search of one part.
struct CoverBranch {
    private let problem: CoverProblem
    private let shapes: [Int]
    /// For each shape, the options of this part that contribute to it. Options that serve it alone come first.
    private var helpers: [[Int]]
    /// For each of them, what it contributes to the shape. An option may contribute to thousands of other shapes.
    private var contributions: [[[CoverProblem.Contribution]]]
    /// Shapes that overrides alone cannot serve, with the composites that contribute to each, fewest first. For the
    /// lower bound.
    private var needing: [(shape: Int, composites: [Int])] = []

    private var covered: [FieldSet]
    private var isOut: [Bool]
    private var chosen: [Int] = []
    private var cost = AdviceCost()
    private var overrideUses: [Int: Int] = [:]

    private(set) var best: [Int] = []
    private var bestCost = AdviceCost()
    private(set) var effort = AdviceEffort()
    var isExhausted: Bool { effort.visits > CoverSearch.budget }

    init(_ problem: CoverProblem, _ part: CoverSearch.Part, startingWith known: [Int]? = nil) {
        effort.matches = problem.options.count
        self.problem = problem
        shapes = part.shapes
        covered = problem.covered
        helpers = Array(repeating: [], count: problem.targets.count)
        contributions = Array(repeating: [], count: problem.targets.count)
        isOut = Array(repeating: false, count: problem.options.count)
        for option in part.options.sorted(by: { problem.options[$0].rank < problem.options[$1].rank }) {
            for shape in Set(problem.options[option].contributions.map { problem.shapeOfSlot[$0.slot] }) {
                helpers[shape].append(option)
            }
        }
        for shape in shapes where !isServed(shape) {
            let alone = helpers[shape].filter { serves($0, shape) }
            helpers[shape] = sortedByReach(alone) + sortedByReach(helpers[shape].filter { !alone.contains($0) })
            contributions[shape] = helpers[shape].map { option in
                problem.slots[shape].flatMap { problem.options[option].contributions(to: $0) }
            }
            if !isServed(shape, byAllOf: helpers[shape].filter { !problem.options[$0].isComposite }) {
                needing.append((shape, helpers[shape].filter { problem.options[$0].isComposite }))
            }
        }
        needing.sort { ($0.composites.count, $0.shape) < ($1.composites.count, $1.shape) }
        best = known ?? startingPoint()
        bestCost = cost(of: best)
    }

    private func sortedByReach(_ options: [Int]) -> [Int] {
        options.sorted { left, right in
            let (a, b) = (problem.options[left], problem.options[right])
            return (b.contributions.count, a.cost, a.rank) < (a.contributions.count, b.cost, b.rank)
        }
    }

    /// An initial solution: one index or override for each shape, without the redundant ones.
    private func startingPoint() -> [Int] {
        var result: [Int] = []
        var kept: Set<Int> = []
        for shape in shapes where !isServed(shape) {
            let options = helpers[shape]
            guard !options.contains(where: { kept.contains($0) && serves($0, shape) }) else { continue }
            let cheapest = options.filter { serves($0, shape) }
                .min {
                    (problem.options[$0].cost, problem.options[$0].rank) < (
                        problem.options[$1].cost, problem.options[$1].rank
                    )
                }
            for option in cheapest.map({ [$0] }) ?? options where kept.insert(option).inserted { result.append(option) }
        }
        var helped: [Int: [Int]] = [:]
        for shape in shapes {
            for option in helpers[shape] where kept.contains(option) {
                helped[option, default: []].append(shape)
            }
        }
        return SetCover.withoutRedundant(result) { option, others in
            helped[option, default: []].allSatisfy { shape in
                isServed(shape, byAllOf: helpers[shape].filter(others.contains))
            }
        }
    }

    private func cost(of options: [Int]) -> AdviceCost {
        var total = AdviceCost()
        for option in options { total.add(problem.options[option].cost) }
        total.overrides = Set(options.compactMap { problem.options[$0].override }).count
        return total
    }

    private func serves(_ option: Int, _ shape: Int) -> Bool { isServed(shape, byAllOf: [option]) }

    private func isServed(_ shape: Int) -> Bool {
        problem.slots[shape].contains { problem.targets[shape].subtracting(covered[$0]).isEmpty }
    }

    private func isServed(_ shape: Int, byAllOf options: [Int]) -> Bool {
        problem.slots[shape].contains { slot in
            var union = problem.covered[slot]
            for option in options {
                for contribution in problem.options[option].contributions(to: slot) {
                    union = union.union(contribution.covered)
                }
            }
            return problem.targets[shape].subtracting(union).isEmpty
        }
    }

    // MARK: - Search

    mutating func search() {
        effort.visits += shapes.count
        guard !isExhausted else { return }
        let unserved = shapes.filter { !isServed($0) }
        guard !unserved.isEmpty else { return record() }
        var bound = cost
        bound.composites += compositesNeeded()
        guard bound <= bestCost else { return }
        var next: [Int]?
        for shape in unserved {
            let options = useful(shape)
            if options.count < next?.count ?? .max { next = options }
        }
        var tried: [Int] = []
        for option in next ?? [] {
            choose(option)
            isOut[option] = true
            tried.append(option)
        }
        for option in tried { isOut[option] = false }
    }

    private mutating func choose(_ number: Int) {
        let option = problem.options[number]
        let before = option.contributions.map { covered[$0.slot] }
        let costBefore = cost
        for contribution in option.contributions {
            covered[contribution.slot] = covered[contribution.slot].union(contribution.covered)
        }
        cost.add(option.cost)
        if let override = option.override {
            if overrideUses[override, default: 0] == 0 { cost.overrides += 1 }
            overrideUses[override, default: 0] += 1
        }
        chosen.append(number)
        isOut[number] = true
        search()
        isOut[number] = false
        chosen.removeLast()
        if let override = option.override { overrideUses[override, default: 1] -= 1 }
        cost = costBefore
        for (contribution, old) in zip(option.contributions, before).reversed() { covered[contribution.slot] = old }
    }

    /// Options that cover more places of a shape.
    private mutating func useful(_ shape: Int) -> [Int] {
        effort.comparisons += contributions[shape].reduce(0) { $0 + $1.count }
        return helpers[shape].indices.filter { place in
            !isOut[helpers[shape][place]]
                && contributions[shape][place].contains { !$0.covered.subtracting(covered[$0.slot]).isEmpty }
        }.map { helpers[shape][$0] }
    }

    private mutating func record() {
        guard cost <= bestCost else { return }
        if cost == bestCost,
            !chosen.map({ problem.options[$0].rank }).sorted().lexicographicallyPrecedes(
                best.map { problem.options[$0].rank }.sorted())
        {
            return
        }
        best = chosen
        bestCost = cost
    }

    /// A lower bound for the composites still needed: unserved shapes that pairwise share no composite.
    private func compositesNeeded() -> Int {
        var isTaken = isOut
        var count = 0
        for (shape, composites) in needing where !isServed(shape) {
            guard composites.allSatisfy({ isOut[$0] || !isTaken[$0] }) else { continue }
            for option in composites { isTaken[option] = true }
            count += 1
        }
        return count
    }
}
