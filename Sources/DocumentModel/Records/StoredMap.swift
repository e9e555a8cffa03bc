// SPDX-License-Identifier: Apache-2.0

/// The fields of a stored map, for whoever asks for many of them by name: where they stand is read once.
///
/// A field is found once, too, and then read at its position, which is good for the map that told it.
package struct StoredMap: Sendable {
    /// The map. A value of another type has no fields.
    package let value: StoredValue
    private let directory: StoredDirectory

    package init(_ value: StoredValue) throws(StoredFormatError) {
        self.value = value
        directory = try value.directory() ?? .empty
    }

    /// Where the value of a field stands; nil if there is none.
    ///
    /// Where a struct is read, the next field asked for is likely to be the next one stored: `place` is where it is looked for
    /// first, and becomes the place after it.
    package func position(of name: String, near place: inout Int) throws(StoredFormatError) -> Int? {
        let quick = unsafe name.utf8.withContiguousStorageIfAvailable {
            unsafe quickPosition(of: UnsafeRawBufferPointer($0), near: &place)
        }
        if case .some(.some(let position)) = quick { return position }
        guard directory.count > 0 else { return nil }
        return unsafe try name.withBytes { name throws(StoredFormatError) in unsafe try find(name, &place) }
    }

    /// Looks at a few places only: a struct may leave some fields out.
    @inline(__always)
    private func quickPosition(of name: UnsafeRawBufferPointer, near place: inout Int) -> Int? {
        unsafe value.bytes.withBytes(from: 0, to: directory.end) { bytes in
            for next in place..<min(place + 3, max(place, directory.count)) {
                guard let position = unsafe directory.position(of: name, at: next, bytes) else { continue }
                place = next + 1
                return position
            }
            return nil
        }
    }

    private func find(
        _ name: UnsafeRawBufferPointer, _ place: inout Int
    ) throws(StoredFormatError) -> Int? {
        unsafe try value.bytes.read(from: directory.content, to: directory.end) { (reader) throws(StoredFormatError) in
            guard let index = unsafe try directory.seek(name, &reader) else { return nil }
            guard unsafe reader.offset < reader.end else { throw .truncated }
            place = index + 1
            return unsafe reader.offset
        }
    }

    package func value(at position: Int) -> StoredValue { value.inside(at: position, end: directory.end) }

    package func isNull(at position: Int) -> Bool { value(at: position).isNull }

    /// Nil for another type, as the following.
    package func boolean(at position: Int) throws(StoredFormatError) -> Bool? { try value(at: position).boolean() }
    package func integer(at position: Int) throws(StoredFormatError) -> Int64? { try value(at: position).integer() }
    package func double(at position: Int) throws(StoredFormatError) -> Double? { try value(at: position).double() }
    package func string(at position: Int) throws(StoredFormatError) -> String? { try value(at: position).string() }
    package func timestamp(at position: Int) throws(StoredFormatError) -> Timestamp? {
        try value(at: position).timestamp()
    }
    package func strings(at position: Int) throws(StoredFormatError) -> [String]? { try value(at: position).strings() }
}
