// SPDX-License-Identifier: Apache-2.0

/// The order in which production lists the members of a join and the inequality fields of Q-34 (I-40): that of
/// a chained hash table over the names, chain by chain, and inside a chain as inserted.
enum HashOrder {
    /// `names` as production would iterate them.
    static func sorted(_ names: [String]) -> [Int] {
        var chains = 16
        while names.count > chains / 4 * 3 { chains *= 2 }
        let keyed = names.enumerated().map { (chain: chain(of: $1, of: chains), index: $0) }
        return keyed.sorted { ($0.chain, $0.index) < ($1.chain, $1.index) }.map(\.index)
    }

    /// The seed is fitted to recordings, which fix it modulo 16; beyond 12 names it is a guess.
    private static let seed: UInt32 = 7

    private static func chain(of name: String, of chains: Int) -> UInt32 {
        var hash: UInt32 = 0
        for unit in name.utf16 { hash = hash &* 31 &+ UInt32(unit) }
        hash = hash &* 31 &+ seed
        return (hash ^ (hash >> 16)) & UInt32(chains - 1)
    }
}
