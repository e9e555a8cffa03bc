// SPDX-License-Identifier: Apache-2.0

/// Writes order-preserving key bytes.
///
/// The laws, for all values a and b and for names likewise:
/// - ascending bytes(a) < bytes(b) exactly if a sorts before b; equal values have equal bytes (`3` and `3.0` too);
/// - descending bytes are the complement of the ascending ones, so they sort the other way round;
/// - no encoding is a prefix of another, so concatenated encodings compare field by field.
package struct KeyEncoder {
    package private(set) var bytes: [UInt8] = []
    package init() {}
    package mutating func append(_ value: Value, descending: Bool = false) { fatalError() }
    /// A collection or document ID.
    package mutating func append(segment: Text, descending: Bool = false) { fatalError() }
    /// A whole path: its segments and an end mark.
    package mutating func append(path: ResourcePath, descending: Bool = false) { fatalError() }
}

/// Byte ranges that stand for sets of values.
package enum KeyBounds {
    /// The smallest byte string after every string that begins with `prefix`; empty if there is none.
    package static func successor(of prefix: [UInt8]) -> [UInt8] { fatalError() }
    /// The half-open range of the ascending encodings of all values of a class. With `.number`, NaN is not inside.
    package static func range(of typeClass: TypeClass) -> (lower: [UInt8], upper: [UInt8]) { fatalError() }
    package static func rangeOfNaN() -> (lower: [UInt8], upper: [UInt8]) { fatalError() }
    /// The bytes of a range for the complement (descending) encoding: bounds exchanged.
    package static func complement(lower: [UInt8], upper: [UInt8]) -> (lower: [UInt8], upper: [UInt8]) { fatalError() }
}
