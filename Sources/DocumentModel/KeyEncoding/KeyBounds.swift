// SPDX-License-Identifier: Apache-2.0

/// Byte ranges that stand for sets of values. An empty upper bound means none.
package enum KeyBounds {
    /// The smallest byte string after every string that begins with `prefix`; empty if there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8] {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return [] }
        var bytes = Array(prefix[...last])
        bytes[last] += 1
        return bytes
    }

    /// The half-open range of the ascending encodings of all values of a class. NaN is not inside that of `.number`.
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

    /// The same set of values in descending (complemented) bytes.
    ///
    /// A bound b of the ascending range stands for "all encodings at or after b". Encodings that begin with b's bytes lie after
    /// it in both forms, so the exchanged bounds are the complements of the bytes *before* which the range ended and began.
    /// Exact because no encoding is a prefix of another and a bound is an encoding, a successor or a label.
    package static func complement(lower: [UInt8], upper: [UInt8]) -> (lower: [UInt8], upper: [UInt8]) {
        (upper.isEmpty ? [] : complementedBound(upper), lower.isEmpty ? [] : complementedBound(lower))
    }

    /// For "x >= b" ascending, i.e. not "x < b": complemented, x̄ is before the successor of b̄'s extensions.
    private static func complementedBound(_ bound: [UInt8]) -> [UInt8] {
        successor(of: bound.map { ~$0 })
    }
}
