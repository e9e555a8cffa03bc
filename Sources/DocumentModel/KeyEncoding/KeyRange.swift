// SPDX-License-Identifier: Apache-2.0

/// A half-open range of byte strings. An empty upper bound means no bound.
package struct KeyRange: Sendable, Hashable {
    package let lower: [UInt8]
    package let upper: [UInt8]

    package static let all = KeyRange(lower: [], upper: [])

    package init(lower: [UInt8], upper: [UInt8]) {
        self.lower = lower
        self.upper = upper
    }

    /// All byte strings that begin with `prefix`.
    package init(prefix: [UInt8]) {
        self.init(lower: prefix, upper: KeyRange.successor(of: prefix))
    }

    private init(label: UInt8) {
        self.init(lower: [label], upper: [label + 1])
    }

    package func contains(_ key: RawSpan) -> Bool {
        // Compares the bounds in place. Copying them would retain and release an array for every key.
        unsafe key.withUnsafeBytes { key in
            let isBelow = unsafe lower.withUnsafeBytes { unsafe compareBytes(key, $0) < 0 }
            return unsafe !isBelow && (upper.isEmpty || upper.withUnsafeBytes { unsafe compareBytes(key, $0) < 0 })
        }
    }

    /// Whether the range contains no key.
    package var isEmpty: Bool { !upper.isEmpty && compareBytes(lower, upper) >= 0 }

    /// The smallest byte string that sorts after every string with this prefix; empty if there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8] {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return [] }
        var bytes = Array(prefix[...last])
        bytes[last] += 1
        return bytes
    }

    /// The range of the same values in descending (complemented) encodings.
    ///
    /// A bound b of the ascending range means "all encodings at or after b". Encodings that start with b's bytes sort
    /// after b in both directions, so the new bounds are the complements of the bytes *before* which the old range
    /// ended and began. This is exact because no encoding is a prefix of another, and a bound is an encoding, a
    /// successor or a label.
    package var complemented: KeyRange {
        KeyRange(
            lower: upper.isEmpty ? [] : KeyRange.complementedBound(upper),
            upper: lower.isEmpty ? [] : KeyRange.complementedBound(lower))
    }

    /// Ascending "x >= b" is not "x < b"; complemented, x̄ sorts before the successor of b̄.
    private static func complementedBound(_ bound: [UInt8]) -> [UInt8] {
        successor(of: bound.map { ~$0 })
    }
}

// MARK: - Values

extension KeyRange {
    /// The ascending encodings of all values of a class. `.number` does not include NaN.
    package init(of typeClass: TypeClass) {
        switch typeClass {
        case .null: self.init(label: KeyLabel.null)
        case .boolean: self.init(lower: [KeyLabel.false], upper: [KeyLabel.true + 1])
        case .number: self.init(label: KeyLabel.number)
        case .timestamp: self.init(label: KeyLabel.timestamp)
        case .string: self.init(label: KeyLabel.string)
        case .bytes: self.init(label: KeyLabel.bytes)
        case .reference: self.init(label: KeyLabel.reference)
        case .geoPoint: self.init(label: KeyLabel.geoPoint)
        case .array: self.init(label: KeyLabel.array)
        case .vector: self.init(label: KeyLabel.vector)
        case .map: self.init(label: KeyLabel.map)
        }
    }

    package static let notANumber = KeyRange(label: KeyLabel.nan)
}
