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

    /// Nil if the bytes are not UTF-8.
    ///
    /// `String(validating:as:)` is not specialised here and costs ten times as much. Decoding repairs invalid bytes, and what
    /// it puts in their place differs from them.
    init?(validating utf8: UnsafeRawBufferPointer) {
        var string = unsafe String(decoding: utf8.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        let isValid = string.withUTF8 { decoded in
            unsafe compareBytes(UnsafeRawBufferPointer(decoded), utf8) == 0
        }
        guard isValid else { return nil }
        self.string = string
    }

    package var utf8Count: Int { string.utf8.count }

    /// The first eight bytes, or as many as there are and zeros, as a number that orders as they do.
    var head: UInt64 { unsafe string.withBytes { unsafe firstWord(of: $0) } }

    /// Whether `lhs` sorts before, with or after `rhs` by UTF-8 bytes: negative, zero or positive.
    package static func compare(_ lhs: Text, _ rhs: Text) -> Int {
        var left = lhs.string
        var right = rhs.string
        return left.withUTF8 { leftBytes in
            right.withUTF8 { rightBytes in
                unsafe compareBytes(UnsafeRawBufferPointer(leftBytes), UnsafeRawBufferPointer(rightBytes))
            }
        }
    }
}

extension Text: Hashable {
    package static func == (lhs: Text, rhs: Text) -> Bool {
        if lhs.isSameRepresentation(as: rhs) { return true }
        return lhs.utf8Count == rhs.utf8Count && compare(lhs, rhs) == 0
    }

    /// Whether both strings are the same bits, as equal short ones and copies of one are: sooner found out than by their bytes.
    private func isSameRepresentation(as other: Text) -> Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        let own = unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
        let others = unsafe unsafeBitCast(other.string, to: (UInt64, UInt64).self)
        return own.0 == others.0 && own.1 == others.1
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

// For paths: what the compiler makes for an array calls generic code for each element.
extension [Text] {
    func isSame(as other: [Text]) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    func hashEach(into hasher: inout Hasher) {
        for text in self { text.hash(into: &hasher) }
    }
}
