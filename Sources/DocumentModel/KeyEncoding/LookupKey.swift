// SPDX-License-Identifier: Apache-2.0

/// The key of one lookup: a few bytes and the encoding of an ID. Most need no memory of their own.
package struct LookupKey: ~Copyable {
    private typealias Words = InlineArray<16, UInt64>

    private let words: Words
    private let count: Int
    /// The key, if it does not fit into ``words``.
    private let long: [UInt8]

    /// Nil for a key that may need memory of its own.
    ///
    /// - Parameters:
    ///   - start: the key's first bytes, the first of them highest.
    ///   - startCount: how many of them there are, at most eight.
    package init?(start: UInt64, _ startCount: Int, segment: Text) {
        guard 8 + segment.keyRoom <= MemoryLayout<Words>.size else { return nil }
        var words = Words(repeating: 0)
        let count = unsafe withUnsafeMutableBytes(of: &words) { bytes in
            guard let room = bytes.baseAddress else { return 0 }
            unsafe room.storeBytes(of: start.bigEndian, as: UInt64.self)
            var writer = unsafe KeyWriter((room + startCount).assumingMemoryBound(to: UInt8.self))
            unsafe writer.append(segment: segment)
            let count = unsafe UnsafeRawPointer(writer.next) - UnsafeRawPointer(room)
            precondition(count <= bytes.count, "a key fits into its room")
            return count
        }
        self.init(words, count: count, long: [])
    }

    private init(_ words: Words, count: Int, long: [UInt8]) {
        self.words = words
        self.count = count
        self.long = long
    }

    /// A key that is already encoded.
    package init(_ bytes: [UInt8]) {
        self.init(Words(repeating: 0), count: bytes.count, long: bytes)
    }

    package var bytes: RawSpan {
        @_lifetime(borrow self) borrowing get {
            unsafe long.isEmpty ? words.span.bytes.extracting(0..<count) : long.span.bytes
        }
    }
}
