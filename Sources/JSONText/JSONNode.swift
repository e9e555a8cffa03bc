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
    /// In source order, a repeated key as often as it occurs: readers decide what that means.
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

/// A number as written, so that no digit is lost before its reader decides what it is.
package struct JSONNumber: Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}
