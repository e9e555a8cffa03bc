// SPDX-License-Identifier: Apache-2.0

/// Byte ranges that contain exactly the keys of a set of values. An empty upper bound means no bound.
package enum KeyBounds {
    /// The smallest byte string that sorts after every string with this prefix; empty if there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8] {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return [] }
        var bytes = Array(prefix[...last])
        bytes[last] += 1
        return bytes
    }

    /// The half-open range of the ascending encodings of all values of a class. `.number` does not include NaN.
    package static func range(of typeClass: TypeClass) -> (lower: [UInt8], upper: [UInt8]) {
        switch typeClass {
        case .null: label(KeyLabel.null)
        case .boolean: ([KeyLabel.false], [KeyLabel.true + 1])
        case .number: label(KeyLabel.number)
        case .timestamp: label(KeyLabel.timestamp)
        case .string: label(KeyLabel.string)
        case .bytes: label(KeyLabel.bytes)
        case .reference: label(KeyLabel.reference)
        case .geoPoint: label(KeyLabel.geoPoint)
        case .array: label(KeyLabel.array)
        case .vector: label(KeyLabel.vector)
        case .map: label(KeyLabel.map)
        }
    }

    package static func rangeOfNaN() -> (lower: [UInt8], upper: [UInt8]) { label(KeyLabel.nan) }

    private static func label(_ label: UInt8) -> (lower: [UInt8], upper: [UInt8]) { ([label], [label + 1]) }

    /// The range of the same values in descending (complemented) encodings.
    ///
    /// A bound b of the ascending range means "all encodings at or after b". Encodings that start with b's bytes sort
    /// after b in both directions, so the new bounds are the complements of the bytes *before* which the old range
    /// ended and began. This is exact because no encoding is a prefix of another, and a bound is an encoding, a
    /// successor or a label.
    package static func complement(lower: [UInt8], upper: [UInt8]) -> (lower: [UInt8], upper: [UInt8]) {
        (upper.isEmpty ? [] : complementedBound(upper), lower.isEmpty ? [] : complementedBound(lower))
    }

    /// Ascending "x >= b" is not "x < b"; complemented, x̄ sorts before the successor of b̄.
    private static func complementedBound(_ bound: [UInt8]) -> [UInt8] {
        successor(of: bound.map { ~$0 })
    }
}
