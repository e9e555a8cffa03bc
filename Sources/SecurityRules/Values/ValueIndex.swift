// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Finds values among others: few are compared one after the other, many by their hashes, in time that does not depend
/// on their number.
struct ValueIndex {
    /// Whether int and float differ.
    let isStrict: Bool
    private var few: [RuleValue] = []
    private var places: [Int: [RuleValue]] = [:]

    static let fewest = 16

    init(isStrict: Bool, _ values: [RuleValue] = []) {
        self.isStrict = isStrict
        if values.count <= ValueIndex.fewest {
            few = values
        } else {
            for value in values { insert(value) }
        }
    }

    func contains(_ value: RuleValue) -> Bool {
        let candidates = places.isEmpty ? few : places[hash(value), default: []]
        return candidates.contains { isEqual(value, $0) }
    }

    /// False if an equal one is there already.
    @discardableResult
    mutating func insert(_ value: RuleValue) -> Bool {
        guard places.isEmpty else { return place(value) }
        guard !few.contains(where: { isEqual(value, $0) }) else { return false }
        if few.count < ValueIndex.fewest {
            few.append(value)
            return true
        }
        for value in few { _ = place(value) }
        few = []
        return place(value)
    }

    /// What is not equal to itself, such as NaN, is never found. Many of them at one place would make each search long, and
    /// who writes documents chooses the values.
    private mutating func place(_ value: RuleValue) -> Bool {
        let hash = hash(value)
        let candidates = places[hash, default: []]
        guard !candidates.contains(where: { isEqual(value, $0) }) else { return false }
        if isEqual(value, value) { places[hash] = candidates + [value] }
        return true
    }

    private func isEqual(_ value: RuleValue, _ other: RuleValue) -> Bool {
        isStrict ? value.isElement(other) : value.isSame(as: other, loosely: true)
    }

    private func hash(_ value: RuleValue) -> Int {
        var hasher = Hasher()
        var isLoose = !isStrict
        // As elements the zeros are equal.
        if case .float = value { isLoose = true }
        value.hash(into: &hasher, loosely: isLoose)
        return hasher.finalize()
    }
}

extension RuleValue {
    /// Equal for values that are the same, or that loosely are; different for all others but by chance.
    fileprivate func hash(into hasher: inout Hasher, loosely: Bool) {
        hasher.combine(kind)
        switch self {
        case .null, .mapDiff, .constraint: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value) where loosely: RuleValue.hash(value, into: &hasher)
        case .float(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .duration(let value): hasher.combine(value)
        case .latlng(let value):
            hasher.combine(value.latitude)
            hasher.combine(value.longitude)
        case .path(let value): hasher.combine(value.segments)
        case .list(let elements):
            hasher.combine(elements.count)
            for element in elements { element.hash(into: &hasher, loosely: loosely) }
        case .map(let map):
            hasher.combine(map.count)
            for entry in map.entries {
                hasher.combine(entry.key)
                entry.value.hash(into: &hasher, loosely: loosely)
            }
        case .set(let set): hasher.combine(RuleValue.hash(set))
        case .vector(let components): hasher.combine(components.map(\.bitPattern))
        }
    }

    /// As the int that it is, if it is one.
    private static func hash(_ value: Double, into hasher: inout Hasher) {
        if let int = Int64(exactly: value) {
            hasher.combine(int)
        } else {
            hasher.combine(value.isNaN ? .nan : value)
        }
    }

    /// Whatever the order of the elements.
    private static func hash(_ set: RuleSetValue) -> Int {
        set.elements.reduce(set.elements.count) { sum, element in
            var hasher = Hasher()
            element.hash(into: &hasher, loosely: true)
            return sum &+ hasher.finalize()
        }
    }

    /// A number for the type; one for all numbers.
    private var kind: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float: 2
        case .string: 3
        case .bytes: 4
        case .timestamp: 5
        case .duration: 6
        case .latlng: 7
        case .path: 8
        case .list: 9
        case .map: 10
        case .set: 11
        case .mapDiff: 12
        case .vector: 13
        case .constraint: 14
        }
    }
}
