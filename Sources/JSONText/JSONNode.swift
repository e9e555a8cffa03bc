// SPDX-License-Identifier: Apache-2.0

/// A JSON value and where it begins in its source.
package struct JSONNode: Sendable {
    package var value: JSONValue
    /// The offset of its first byte in the UTF-8 source.
    package var offset: Int

    package init(_ value: JSONValue, offset: Int) {
        self.value = value
        self.offset = offset
    }
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

    package init(key: String, keyOffset: Int, node: JSONNode) {
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
