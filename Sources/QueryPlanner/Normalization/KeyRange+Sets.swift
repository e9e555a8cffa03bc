// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// A set of byte strings: ascending, disjoint, non-empty half-open ranges.
typealias KeyRangeSet = [KeyRange]

extension [KeyRange] {
    static let everything: KeyRangeSet = [.all]

    var isEverything: Bool { count == 1 && self[0].lower.isEmpty && self[0].upper.isEmpty }

    /// The set over descending (complemented) bytes.
    var complemented: KeyRangeSet { reversed().map(\.complemented) }

    func stored(_ direction: Direction) -> KeyRangeSet {
        direction == .ascending || isEverything ? self : complemented
    }

    func contains(_ key: [UInt8]) -> Bool { contains { $0.contains(key.span.bytes) } }

    func intersection(_ other: KeyRangeSet) -> KeyRangeSet {
        if isEverything { return other }
        if other.isEverything { return self }
        var result: KeyRangeSet = []
        var left = 0
        var right = 0
        while left < count, right < other.count {
            let lower = compareBytes(self[left].lower, other[right].lower) >= 0 ? self[left].lower : other[right].lower
            let leftEndsFirst = KeyRange.compareUppers(self[left].upper, other[right].upper) <= 0
            let range = KeyRange(lower: lower, upper: leftEndsFirst ? self[left].upper : other[right].upper)
            if !range.isEmpty { result.append(range) }
            if leftEndsFirst { left += 1 } else { right += 1 }
        }
        return result
    }

    /// The complement of the set.
    var inverted: KeyRangeSet {
        var result: KeyRangeSet = []
        var lower: [UInt8] = []
        for range in self {
            let gap = KeyRange(lower: lower, upper: range.lower)
            if !range.lower.isEmpty, !gap.isEmpty { result.append(gap) }
            guard !range.upper.isEmpty else { return result }
            lower = range.upper
        }
        result.append(KeyRange(lower: lower, upper: []))
        return result
    }
}

extension KeyRange {
    /// An empty bound means none, so it is the greatest.
    fileprivate static func compareUppers(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
        if lhs.isEmpty || rhs.isEmpty { return (lhs.isEmpty ? 1 : 0) - (rhs.isEmpty ? 1 : 0) }
        return compareBytes(lhs, rhs)
    }
}
