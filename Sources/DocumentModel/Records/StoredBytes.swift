// SPDX-License-Identifier: Apache-2.0

/// Bytes copied from the store: one record, or several. All values read from them share them.
///
/// It takes one allocation and one reference, where an array, its database and its collection would take three.
struct StoredBytes: @unchecked Sendable {  // Immutable once it is filled.
    private struct Head {
        let database: DatabaseID
        let collection: ResourcePath
        let count: Int
    }

    private final class Storage: ManagedBuffer<Head, UInt8> {}

    private let storage: ManagedBuffer<Head, UInt8>

    /// Allocates `count` bytes, which the caller fills.
    ///
    /// - Parameter collection: the records' collection; the root for records that carry their whole paths, and for a single value.
    init(count: Int, in collection: ResourcePath, of database: DatabaseID) {
        storage = Storage.create(minimumCapacity: count) { _ in
            Head(database: database, collection: collection, count: count)
        }
    }

    // Accesses to `header` are checked for exclusivity, this is not.
    var database: DatabaseID { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.database } }
    var collection: ResourcePath { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.collection } }
    var hasCollection: Bool {
        unsafe storage.withUnsafeMutablePointerToHeader { unsafe !$0.pointee.collection.isEmpty }
    }
    private var count: Int { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.count } }

    /// Copies parts, one behind the other. Call it only before anything reads the bytes.
    func fill(from offset: Int, with first: RawSpan, _ second: RawSpan = RawSpan(), _ third: RawSpan = RawSpan()) {
        let size = first.byteCount + second.byteCount + third.byteCount
        precondition(offset + size <= count, "bytes are copied into the room made for them")
        unsafe storage.withUnsafeMutablePointerToElements { room in
            var place = unsafe UnsafeMutableRawPointer(room + offset)
            unsafe StoredBytes.copy(first, to: &place)
            unsafe StoredBytes.copy(second, to: &place)
            unsafe StoredBytes.copy(third, to: &place)
        }
    }

    @inline(__always)
    private static func copy(_ part: RawSpan, to place: inout UnsafeMutableRawPointer) {
        unsafe part.withUnsafeBytes { part in
            guard let start = part.baseAddress, part.count > 0 else { return }
            unsafe place.copyMemory(from: start, byteCount: part.count)
            unsafe place += part.count
        }
    }

    subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "a stored value lies within its bytes")
        return unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[offset] }
    }

    /// Calls `body` with the bytes between two offsets.
    func withBytes<R, E: Error>(
        from start: Int, to end: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(start >= 0 && start <= end && end <= count, "a stored value lies within its bytes")
        return unsafe try storage.withUnsafeMutablePointerToElements { bytes throws(E) in
            unsafe try body(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        }
    }

    /// A reader of the bytes between two offsets. The caller must keep the bytes alive.
    @unsafe
    func reader(from start: Int, to end: Int) -> StoredReader {
        precondition(end >= 0 && end <= count, "a stored value lies within its bytes")
        let base = unsafe storage.withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
        return unsafe StoredReader(base: base, offset: start, end: end, database: database)
    }

    /// Calls `body` with a reader of the bytes between two offsets.
    func read<R>(
        from start: Int, to end: Int, _ body: (inout StoredReader) throws(StoredFormatError) -> R
    ) throws(StoredFormatError) -> R {
        defer { withExtendedLifetime(self) {} }
        var reader = unsafe reader(from: start, to: end)
        return unsafe try body(&reader)
    }
}
