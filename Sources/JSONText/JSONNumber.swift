// SPDX-License-Identifier: Apache-2.0

extension JSONNumber {
    /// Whether it is written without fraction and exponent. `1.0` and `1e2` are not integers in this sense.
    package var isInteger: Bool {
        !text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    }

    /// The exact value of a number written without fraction and exponent; nil for others and where it does not fit.
    /// `-0` is 0.
    package var int64: Int64? { Int64(text) }

    /// The nearest double, ties to even. Beyond the largest double it is infinite, which no JSON number says: a reader
    /// that must refuse such numbers asks `isFinite`.
    package var double: Double { Double(text) ?? .nan }

    package init(_ value: Int64) {
        self.init(text: String(value))
    }
}
