// SPDX-License-Identifier: Apache-2.0

/// Which of too many ways are followed. Programs rarely take all that conditions allow, but each by itself, all and none.
extension Alternatives {
    /// Places in the order in which they are followed: one that adds the least to a query, one that adds the most, those
    /// that add as little or one thing more, then others.
    ///
    /// - Parameter weights: how much each adds.
    static func order(_ weights: [Int]) -> [Int] {
        guard weights.count > maximum, let least = weights.min(), let most = weights.max() else {
            return Array(weights.indices)
        }
        let ends = [weights.firstIndex(of: least), weights.firstIndex(of: most)]
        let ranks = weights.enumerated().map { ends.contains($0.offset) ? 0 : min($0.element - least, 2) + 1 }
        return weights.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    }

    /// The places of pairs with alternatives of another expression.
    func order(with other: Alternatives) -> [Int] {
        let count = items.count * other.items.count
        guard count > Alternatives.maximum else { return Array(0..<count) }
        let others = other.items.map(\.value.weight)
        return Alternatives.order(items.map(\.value.weight).flatMap { weight in others.map { weight + $0 } })
    }

    /// The places of those that are followed.
    static func kept(_ weights: [Int]) -> [Int] { order(weights).prefix(maximum).sorted() }
}

extension Known {
    /// How many parts it is, or adds to a query.
    var weight: Int {
        switch self {
        case .query(let shape): shape.parts.count
        case .list(let elements, _): elements.count { if case .null = $0 { false } else { true } }
        case .part: 1
        default: 0
        }
    }
}
