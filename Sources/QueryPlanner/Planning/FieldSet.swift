// SPDX-License-Identifier: Apache-2.0

/// A set of small integers: places of a disjunct's fields or of a query's orders. A valid query has at most 100 of
/// either; implied orders come from its filters.
struct FieldSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let capacity = 128

    init() {}

    /// The numbers below `count`.
    init(count: Int) {
        for number in 0..<count { insert(number) }
    }

    mutating func insert(_ number: Int) {
        precondition(number < FieldSet.capacity, "a valid query has at most 100 filters and orders (Q-35)")
        if number < 64 { low |= 1 << UInt64(number) } else { high |= 1 << UInt64(number - 64) }
    }

    mutating func remove(_ number: Int) {
        if number < 64 { low &= ~(1 << UInt64(number)) } else { high &= ~(1 << UInt64(number - 64)) }
    }

    func contains(_ number: Int) -> Bool {
        number < 64 ? low & (1 << UInt64(number)) != 0 : high & (1 << UInt64(number - 64)) != 0
    }

    var isEmpty: Bool { low | high == 0 }
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    func union(_ other: FieldSet) -> FieldSet {
        var result = self
        result.low |= other.low
        result.high |= other.high
        return result
    }

    func intersection(_ other: FieldSet) -> FieldSet {
        var result = self
        result.low &= other.low
        result.high &= other.high
        return result
    }

    func subtracting(_ other: FieldSet) -> FieldSet {
        var result = self
        result.low &= ~other.low
        result.high &= ~other.high
        return result
    }
}
