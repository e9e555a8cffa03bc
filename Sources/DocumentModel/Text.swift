// SPDX-License-Identifier: Apache-2.0

/// A stored string: equality, order and hash are those of its UTF-8 bytes (V-14).
///
/// `String` compares by canonical equivalence, under which `"é"` equals `"e\u{301}"`; Firestore keeps them apart.
/// Field names, document IDs and string values are therefore `Text`, and `String` is made only for people.
package struct Text: Sendable, ExpressibleByStringLiteral {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package init(stringLiteral value: String) {
        self.string = value
    }

    package var utf8Count: Int { string.utf8.count }

    /// Whether `lhs` sorts before, with or after `rhs` by UTF-8 bytes: negative, zero or positive.
    package static func compare(_ lhs: Text, _ rhs: Text) -> Int {
        unsafe withBytes(lhs, rhs) { left, right in
            unsafe compareBytes(left, right)
        }
    }

    private static func withBytes<R>(
        _ lhs: Text, _ rhs: Text, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> R
    ) -> R {
        var left = lhs.string
        var right = rhs.string
        return left.withUTF8 { leftBytes in
            right.withUTF8 { rightBytes in
                unsafe body(UnsafeRawBufferPointer(leftBytes), UnsafeRawBufferPointer(rightBytes))
            }
        }
    }
}

extension Text: Hashable {
    package static func == (lhs: Text, rhs: Text) -> Bool {
        compare(lhs, rhs) == 0
    }

    package func hash(into hasher: inout Hasher) {
        var copy = string
        copy.withUTF8 { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        hasher.combine(UInt8(0xFF))
    }
}

extension Text: Comparable {
    package static func < (lhs: Text, rhs: Text) -> Bool {
        compare(lhs, rhs) < 0
    }
}

extension Text: CustomStringConvertible {
    package var description: String { string }
}
