// SPDX-License-Identifier: Apache-2.0

/// Bytes copied out of the store, of one record or of several of one collection: what is read from them shares them.
///
/// One allocation, and one reference where an array, its database and its collection would be three.
struct StoredBytes: @unchecked Sendable {  // Immutable once it is filled.
    private struct Head {
        let database: DatabaseID
        let collection: ResourcePath
        let count: Int
    }

    private final class Storage: ManagedBuffer<Head, UInt8> {}

    private let storage: ManagedBuffer<Head, UInt8>

    /// Room for `count` bytes, which the caller fills.
    ///
    /// - Parameter collection: the collection's path; the root for a value that stands alone.
    init(count: Int, in collection: ResourcePath, of database: DatabaseID) {
        storage = Storage.create(minimumCapacity: count) { _ in
            Head(database: database, collection: collection, count: count)
        }
    }

    // Not by `header`, whose uses are checked for exclusive access.
    var database: DatabaseID { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.database } }
    var collection: ResourcePath { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.collection } }
    private var count: Int { unsafe storage.withUnsafeMutablePointerToHeader { unsafe $0.pointee.count } }

    /// Only before anything reads the bytes.
    func fill(from offset: Int, with bytes: RawSpan) {
        precondition(offset + bytes.byteCount <= count, "bytes are copied into the room made for them")
        unsafe storage.withUnsafeMutablePointerToElements { room in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe UnsafeMutableRawPointer(room + offset).copyMemory(from: start, byteCount: bytes.count)
            }
        }
    }

    subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "a stored value lies within its bytes")
        return unsafe storage.withUnsafeMutablePointerToElements { unsafe $0[offset] }
    }

    /// Shows what lies between two offsets.
    func withBytes<R, E: Error>(
        from start: Int, to end: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(start >= 0 && start <= end && end <= count, "a stored value lies within its bytes")
        return unsafe try storage.withUnsafeMutablePointerToElements { bytes throws(E) in
            unsafe try body(UnsafeRawBufferPointer(start: bytes + start, count: end - start))
        }
    }

    /// A reader at an offset that goes as far as `end`; the caller keeps the bytes as long as it.
    @unsafe
    func reader(from start: Int, to end: Int) -> StoredReader {
        precondition(end >= 0 && end <= count, "a stored value lies within its bytes")
        let base = unsafe storage.withUnsafeMutablePointerToElements { UnsafeRawPointer($0) }
        return unsafe StoredReader(base: base, offset: start, end: end, database: database)
    }

    /// Reads from an offset, as far as `end`.
    func read<R>(
        from start: Int, to end: Int, _ body: (inout StoredReader) throws(StoredFormatError) -> R
    ) throws(StoredFormatError) -> R {
        defer { withExtendedLifetime(self) {} }
        var reader = unsafe reader(from: start, to: end)
        return unsafe try body(&reader)
    }
}
