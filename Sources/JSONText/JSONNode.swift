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
