// SPDX-License-Identifier: Apache-2.0

/// A stored string. Equality, order and hash are those of its UTF-8 bytes (V-14).
///
/// `String` compares by canonical equivalence, under which `"é"` equals `"e\u{301}"`. Firestore distinguishes them, so
/// field names, document IDs and string values are `Text`; `String` is for display.
package struct Text: Sendable, ExpressibleByStringLiteral {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package init(stringLiteral value: String) {
        self.string = value
    }

    /// Nil if the bytes are not UTF-8.
    init?(validating utf8: UnsafeRawBufferPointer) {
        // Cheaper than `String(validating:as:)`, which is not specialised here, and than decoding and comparing.
        guard let text = try? UTF8Span(validating: unsafe utf8.assumingMemoryBound(to: UInt8.self).span) else {
            return nil
        }
        string = String(copying: text)
    }

    package var utf8Count: Int { string.utf8.count }

    /// The first eight bytes, padded with zeros, as a number with the same order.
    var head: UInt64 { unsafe string.withBytes { unsafe firstWord(of: $0) } }

    /// Compares by UTF-8 bytes: negative, zero or positive as `lhs` sorts before, with or after `rhs`.
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

    /// Whether both strings have the same bits, as equal short strings and copies have. Faster than comparing their
    /// bytes.
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

// For paths: the array's own conformance calls generic code for each element.
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

extension String {
    /// Whether its UTF-8 holds a byte.
    func holds(_ byte: UInt8) -> Bool {
        unsafe withBytes { unsafe DocumentModel.firstIndex(of: byte, in: $0, from: 0) != nil }
    }

    /// Like `withUTF8`, with typed errors, and without counting a reference to a copy.
    @inline(__always)
    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        unsafe try utf8.span.bytes.withUnsafeBytes(body)
    }
}
