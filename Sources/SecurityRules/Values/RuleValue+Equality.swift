// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Four equalities. By `==`, an int and a float are equal if the float that is closest to the int is. Inside lists and maps
/// they never are, and the zeros differ. A list has an element as those are equal, but for zeros. Sets and differences of
/// maps compare loosely at any depth: an int and a float by their exact values, and NaN is equal to itself. A path with
/// variables is equal to itself inside lists, maps and sets only.
extension RuleValue {
    /// `==`. Values of different types are not equal.
    func equals(_ other: RuleValue) -> Bool {
        if case .string(let left) = self, case .string(let right) = other { return left == right }
        return numericEquality(with: other) ?? (!isOpenPath && isSame(as: other))
    }

    private var isOpenPath: Bool { if case .path(let path) = self { path.unbound != nil } else { false } }

    private func numericEquality(with other: RuleValue) -> Bool? {
        switch (self, other) {
        case (.int(let left), .float(let right)): Double(left) == right
        case (.float(let left), .int(let right)): left == Double(right)
        case (.float(let left), .float(let right)): left == right
        default: nil
        }
    }

    /// Two numbers by their values.
    private func exactEquality(with other: RuleValue) -> Bool? {
        switch (self, other) {
        case (.int(let int), .float(let float)), (.float(let float), .int(let int)): Int64(exactly: float) == int
        case (.float(let left), .float(let right)): left == right || (left.isNaN && right.isNaN)
        default: nil
        }
    }

    /// Whether a list that has one of them has the other.
    func isElement(_ other: RuleValue) -> Bool {
        if case .float(let left) = self, case .float(let right) = other { return left == right }
        return !isOpenPath && isSame(as: other)
    }

    /// The same of a stored value. No path is made of a reference only to find that it is none of another type.
    func isElement(stored other: Value) -> Bool {
        if case .reference = other, type != .path { return false }
        return isElement(RuleValue(other))
    }

    /// The equality inside lists and maps, and loosely that of sets.
    func isSame(as other: RuleValue, loosely: Bool = false) -> Bool {
        if loosely, let isEqual = exactEquality(with: other) { return isEqual }
        return switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.float(let left), .float(let right)): RuleValue.isSame(left, right)
        case (.string(let left), .string(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.duration(let left), .duration(let right)): left == right
        case (.latlng(let left), .latlng(let right)):
            left.latitude == right.latitude && left.longitude == right.longitude
        case (.path(let left), .path(let right)): left.segments == right.segments
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1, loosely: loosely) }
        case (.map(let left), .map(let right)): RuleValue.isSame(left, right, loosely)
        case (.set(let left), .set(let right)):
            left.elements.count == right.elements.count
                && left.elements.allSatisfy(ValueIndex(isStrict: false, right.elements).contains)
        case (.vector(let left), .vector(let right)):
            left.count == right.count && zip(left, right).allSatisfy { RuleValue.isSame($0, $1) }
        default: false
        }
    }

    /// The zeros differ, and NaN is not equal to itself.
    private static func isSame(_ left: Double, _ right: Double) -> Bool {
        left == right && left.sign == right.sign
    }

    private static func isSame(_ left: RuleMap, _ right: RuleMap, _ loosely: Bool) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left.entries, right.entries).allSatisfy {
            $0.key == $1.key && $0.value.isSame(as: $1.value, loosely: loosely)
        }
    }

    /// Negative, zero or positive; nil if the two have no order or one is NaN.
    func compared(to other: RuleValue) -> Int? {
        switch (self, other) {
        case (.int(let left), .int(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.int(let left), .float(let right)): RuleValue.compare(Double(left), right)
        case (.float(let left), .int(let right)): RuleValue.compare(left, Double(right))
        case (.float(let left), .float(let right)): RuleValue.compare(left, right)
        case (.string(let left), .string(let right)): Text.compareUTF16(left, right)
        case (.bytes(let left), .bytes(let right)):
            left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.timestamp(let left), .timestamp(let right)): left == right ? 0 : left < right ? -1 : 1
        case (.duration(let left), .duration(let right)): left == right ? 0 : left < right ? -1 : 1
        default: nil
        }
    }

    private static func compare(_ left: Double, _ right: Double) -> Int? {
        left == right ? 0 : left < right ? -1 : left > right ? 1 : nil
    }
}
