// SPDX-License-Identifier: Apache-2.0

/// The order in which production lists the members of a join and the inequality fields of Q-34 (I-40):
/// that of a chained hash table of names. Within a chain, names keep their insertion order.
enum HashOrder {
    /// The positions of `names` in the order in which production iterates them.
    static func sorted(_ names: [String]) -> [Int] {
        var chains = 16
        while names.count > chains / 4 * 3 { chains *= 2 }
        let keyed = names.enumerated().map { (chain: chain(of: $1, of: chains), index: $0) }
        return keyed.sorted { ($0.chain, $0.index) < ($1.chain, $1.index) }.map(\.index)
    }

    /// The seed is derived from recordings, which determine it modulo 16. For more than 12 names it is a guess.
    private static let seed: UInt32 = 7

    private static func chain(of name: String, of chains: Int) -> UInt32 {
        var hash: UInt32 = 0
        for unit in name.utf16 { hash = hash &* 31 &+ UInt32(unit) }
        hash = hash &* 31 &+ seed
        return (hash ^ (hash >> 16)) & UInt32(chains - 1)
    }
}
