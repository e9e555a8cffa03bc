// SPDX-License-Identifier: Apache-2.0

/// Greedy set cover. ``CoverSearch`` is the exact search.
enum SetCover {
    /// The positions of the chosen sets, in the order of choice. Nil if all sets together do not cover `wanted`.
    ///
    /// Each step takes the set that adds most; ties go to the widest set, then to the first.
    static func greedy(_ wanted: FieldSet, of sets: [FieldSet]) -> [Int]? {
        var uncovered = wanted
        var chosen: [Int] = []
        while !uncovered.isEmpty {
            var best: (gain: Int, width: Int, place: Int) = (0, 0, 0)
            for (place, set) in sets.enumerated() {
                let gain = set.intersection(uncovered).count
                if gain > 0, (gain, set.count) > (best.gain, best.width) { best = (gain, set.count, place) }
            }
            guard best.gain > 0 else { return nil }
            chosen.append(best.place)
            uncovered = uncovered.subtracting(sets[best.place])
        }
        return withoutRedundant(chosen) { place, others in
            let rest = others.reduce(FieldSet()) { $0.union(sets[$1]) }
            return sets[place].subtracting(rest).isEmpty
        }
    }

    /// Removes the members that the others make redundant, trying the last member first. Greedy choice can make an
    /// early member redundant.
    static func withoutRedundant(_ chosen: [Int], _ isRedundant: (_ member: Int, _ others: Set<Int>) -> Bool) -> [Int] {
        var kept = Set(chosen)
        for member in chosen.reversed() {
            kept.remove(member)
            if !isRedundant(member, kept) { kept.insert(member) }
        }
        return chosen.filter(kept.contains)
    }
}
