// SPDX-License-Identifier: Apache-2.0

/// Whether more tokens can tell alternatives apart.
extension Predictor {
    /// The alternatives of each state and the stacks with which an alternative is there.
    private func groups(_ places: [Place]) -> [State: [[Int]: Set<Int>]] {
        var stacks: [State: [Int: [Int]]] = [:]
        for place in places { stacks[place.state, default: [:]][place.alternative, default: []].append(place.stack) }
        return stacks.mapValues { byAlternative in
            var groups: [[Int]: Set<Int>] = [:]
            for (alternative, stacks) in byAlternative { groups[stacks.sorted(), default: []].insert(alternative) }
            return groups
        }
    }

    /// Whether more tokens cannot help without the callers.
    func isAmbiguous(_ places: [Place]) -> Bool {
        if places.allSatisfy({ isStop($0.state) }) { return true }
        var alternatives: [State: Int] = [:]
        for place in places { alternatives[place.state, default: 0] |= 1 << place.alternative }
        if alternatives.values.contains(where: { $0 & ($0 - 1) == 0 }) { return false }
        return groups(places).values.contains { $0.values.contains { $0.count > 1 } }
    }

    /// The alternative that wins however the source goes on.
    func resolved(_ places: [Place]) -> Int? {
        let lowest = Set(groups(places).values.flatMap { $0.values.compactMap { $0.min() } })
        return lowest.count == 1 ? lowest.first : nil
    }
}
