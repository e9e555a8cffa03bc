// SPDX-License-Identifier: Apache-2.0

/// A JSON value and its place in the source.
package struct JSONNode: Sendable {
    package var value: JSONValue
    /// Its bytes in the UTF-8 source, brackets and quotes included. Empty for a node that was not parsed.
    package var range: Range<Int>

    package init(_ value: JSONValue, range: Range<Int> = 0..<0) {
        self.value = value
        self.range = range
    }

    /// The offset of its first byte in the source.
    package var offset: Int { range.lowerBound }
}

package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONNode])
    /// In source order. A repeated key occurs repeatedly, and the reader decides what that means.
    case object([JSONMember])
}

package struct JSONMember: Sendable {
    package var key: String
    package var keyOffset: Int
    package var node: JSONNode

    package init(key: String, keyOffset: Int = 0, node: JSONNode) {
        self.key = key
        self.keyOffset = keyOffset
        self.node = node
    }
}

/// A number as it was written, so that its reader loses no digits.
package struct JSONNumber: Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// The exact value of a number without fraction and exponent; nil for other numbers and if it does not fit. `-0` is
    /// 0.
    package var int64: Int64? { Int64(text) }

    /// The exact value of a whole number in any decimal notation, such as `5.0` and `1e3`; nil for others and if it does
    /// not fit.
    package var wholeNumber: Int64? {
        if let int64 { return int64 }
        guard JSONNumber(decimal: text) != nil else { return nil }
        let parts = text.split { $0 == "e" || $0 == "E" }
        let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard var power = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
        var digits = String(halves[0])
        if halves.count > 1 {
            digits += halves[1]
            power = power.subtractingReportingOverflow(halves[1].utf8.count).partialValue
        }
        while power < 0, digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        // Nothing but a sign and zeros.
        if digits.utf8.allSatisfy({ !(0x31...0x39).contains($0) }) { return 0 }
        guard (0...18).contains(power) else { return nil }
        return Int64(digits + String(repeating: "0", count: power))
    }

    /// The nearest double, ties to even. It is infinite beyond the range of doubles: check `isFinite` to refuse such
    /// numbers.
    package var double: Double { Double(text) ?? .nan }

    /// The number in a string of decimal digits such as `"-1.5e3"`; nil for any other notation, including hexadecimal.
    package init?(decimal text: String) {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isDecimal, Double(text) != nil else { return nil }
        self.init(text: text)
    }

    package init(_ value: Int64) {
        self.init(text: String(value))
    }
}
