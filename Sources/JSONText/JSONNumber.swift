// SPDX-License-Identifier: Apache-2.0

extension JSONNumber {
    /// The exact value of a number written without fraction and exponent; nil for others and where it does not fit.
    /// `-0` is 0.
    package var int64: Int64? { Int64(text) }

    /// The nearest double, ties to even. Beyond the largest double it is infinite, which no JSON number says: a reader
    /// that must refuse such numbers asks `isFinite`.
    package var double: Double { Double(text) ?? .nan }

    /// The number that a string holds in decimal digits, as `"-1.5e3"`; nil for other notations, hexadecimal for one.
    package init?(decimal text: String) {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isDecimal, Double(text) != nil else { return nil }
        self.init(text: text)
    }

    package init(_ value: Int64) {
        self.init(text: String(value))
    }
}
