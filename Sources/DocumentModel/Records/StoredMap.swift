// SPDX-License-Identifier: Apache-2.0

/// Reads many fields of one stored map by name: reads its directory once.
///
/// Finding a field gives its position, from which this map reads it.
package struct StoredMap: Sendable {
    /// The map. A value of another type has no fields.
    package let value: StoredValue
    private let directory: StoredDirectory

    package init(_ value: StoredValue) throws(StoredFormatError) {
        self.value = value
        directory = try value.directory() ?? .empty
    }

    /// The position of a field; nil if there is none.
    ///
    /// When a struct is decoded, the next field is often the next one stored. `place` is the index that is tried first,
    /// and becomes the index after the field.
    package func position(of name: String, near place: inout Int) throws(StoredFormatError) -> Int? {
        let quick = unsafe name.utf8.withContiguousStorageIfAvailable {
            unsafe quickPosition(of: UnsafeRawBufferPointer($0), near: &place)
        }
        if case .some(.some(let position)) = quick { return position }
        guard directory.count > 0 else { return nil }
        return unsafe try name.withBytes { name throws(StoredFormatError) in unsafe try find(name, &place) }
    }

    /// Tries a few indexes only: a struct may omit some fields.
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

    /// These return nil for another type.
    package func boolean(at position: Int) throws(StoredFormatError) -> Bool? { try value(at: position).boolean() }
    package func integer(at position: Int) throws(StoredFormatError) -> Int64? { try value(at: position).integer() }
    package func double(at position: Int) throws(StoredFormatError) -> Double? { try value(at: position).double() }
    package func string(at position: Int) throws(StoredFormatError) -> String? { try value(at: position).string() }
    package func timestamp(at position: Int) throws(StoredFormatError) -> Timestamp? {
        try value(at: position).timestamp()
    }
    package func strings(at position: Int) throws(StoredFormatError) -> [String]? { try value(at: position).strings() }
}
