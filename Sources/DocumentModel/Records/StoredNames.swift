// SPDX-License-Identifier: Apache-2.0

/// The field names of a stored map, in order: what many documents of a collection have in common.
///
/// Comparing names with these takes a fraction of the time of making strings of them.
package struct StoredNames: Sendable {
    /// The names, one behind the other.
    private let bytes: [UInt8]
    private let lengths: [UInt8]

    package var count: Int { lengths.count }

    /// The names as strings. They must be UTF-8.
    package var strings: [String] {
        var start = 0
        return lengths.map { length in
            defer { start += Int(length) }
            return String(decoding: bytes[start..<start + Int(length)], as: UTF8.self)
        }
    }

    /// The most fields that a map has whose names are worth comparing.
    fileprivate static let maximumCount = 100

    /// Nil where ``StoredDirectory/namesHash(_:)`` is.
    fileprivate init?(of map: StoredDirectory, _ stored: UnsafeRawBufferPointer) {
        var (bytes, lengths): ([UInt8], [UInt8]) = ([], [])
        for index in 0..<map.count {
            guard let name = unsafe map.name(index, stored) else { return nil }
            unsafe bytes.append(contentsOf: name)
            lengths.append(UInt8(name.count))
        }
        self.bytes = bytes
        self.lengths = lengths
    }

    fileprivate func areThose(of map: StoredDirectory, _ stored: UnsafeRawBufferPointer) -> Bool {
        guard map.count == count else { return false }
        return unsafe bytes.withUnsafeBytes { bytes in
            var start = 0
            for index in 0..<count {
                let own = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(lengths[index])])
                guard let name = unsafe map.name(index, stored), unsafe areSame(own, name) else { return false }
                start += own.count
            }
            return true
        }
    }

    fileprivate func length(of index: Int) -> Int { Int(lengths[index]) }
}

extension StoredItems {
    /// A number that maps of the same names share, of the map whose head was read last; nil for a map without fields, with very
    /// many, or with long names.
    package var namesHash: UInt64? {
        unsafe bytes.withBytes(from: 0, to: directory.end) { unsafe directory.namesHash($0) }
    }

    /// The names of the map whose head was read last; nil where ``namesHash`` is.
    package var names: StoredNames? {
        unsafe bytes.withBytes(from: 0, to: directory.end) { unsafe StoredNames(of: directory, $0) }
    }

    /// Whether the map whose head was read last has these names.
    package func hasNames(_ names: StoredNames) -> Bool {
        unsafe bytes.withBytes(from: 0, to: directory.end) { unsafe names.areThose(of: directory, $0) }
    }

    /// Moves to the value of a field of a map that has these names.
    ///
    /// - Parameter map: the ``directory`` after the map's head was read.
    /// - Returns: where the next field begins, which the value must reach; nil for the last one. Otherwise fields could share bytes,
    ///   and what is inside be read over and over.
    package mutating func move(
        to index: Int, of map: StoredDirectory, with names: StoredNames
    ) throws(StoredFormatError) -> Int? {
        let (start, next) = unsafe bytes.withBytes(from: 0, to: map.end) { stored in
            unsafe (
                map.nameStart(index, stored),
                index + 1 < map.count ? map.nameStart(index + 1, stored) - 1 : nil
            )
        }
        offset = start + names.length(of: index)
        guard offset < map.end else { throw .truncated }
        return next
    }
}

extension StoredDirectory {
    @inline(__always)
    fileprivate func nameStart(_ index: Int, _ stored: UnsafeRawBufferPointer) -> Int {
        precondition(index < count, "a map was asked for a field that it does not have")
        guard let base = stored.baseAddress else { return end }
        return unsafe content &+ offset(of: index, base) &+ 1
    }

    /// Nil for a name of 128 bytes or more, whose length takes two, and for one that does not lie within the map.
    @inline(__always)
    fileprivate func name(_ index: Int, _ stored: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let start = unsafe nameStart(index, stored)
        guard start < end else { return nil }
        let length = unsafe Int(stored[start &- 1])
        guard length < 0x80, length < end &- start else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: stored[start..<start &+ length])
    }

    fileprivate func namesHash(_ stored: UnsafeRawBufferPointer) -> UInt64? {
        guard count > 0, count <= StoredNames.maximumCount else { return nil }
        var hash = UInt64(count)
        for index in 0..<count {
            guard let name = unsafe name(index, stored) else { return nil }
            let last =
                name.count < 8
                ? UInt64(name.count)
                : unsafe name.loadUnaligned(
                    fromByteOffset: name.count - 8, as: UInt64.self)
            for word in unsafe [firstWord(of: name), last] {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash &>> 29
            }
        }
        return hash
    }
}
