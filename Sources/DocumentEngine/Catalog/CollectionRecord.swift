// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// A collection's number as the catalog's two lists hold it under its name: the number, and a checksum of it and of the key. A
/// document's own checksum covers its key, in which the collection is but a number; this one covers what the number stands for.
enum CollectionRecord {
    static func bytes(_ number: UInt64, key: [UInt8]) -> [UInt8] {
        let number = OrderedInteger.bytes(number)
        return number + checksum(number.span.bytes, key: key.span.bytes)
    }

    /// Lists a collection by its path and in its group.
    static func put(
        _ path: CollectionPath, _ number: UInt64, _ catalog: KeyedWriter, _ transaction: inout Transaction
    ) throws(EngineError) {
        for key in [CatalogKey.collection(path), CatalogKey.groupMember(path)] {
            try catalog.put(key, bytes(number, key: key), &transaction)
        }
    }

    /// The number in a record. Files of formats before 3 have no checksum until they are opened for writing.
    static func number(_ record: RawSpan, key: RawSpan) throws(EngineError) -> UInt64 {
        var offset = 0
        let number = try OrderedInteger.read(record, &offset)
        guard offset < record.byteCount else { return number }
        let wanted = checksum(record.extracting(0..<offset), key: key)
        guard record.extracting(offset..<record.byteCount).isEqual(to: wanted[...]) else {
            throw .damaged("a collection's name or number is not as it was written")
        }
        return number
    }

    private static func checksum(_ number: RawSpan, key: RawSpan) -> [UInt8] {
        let checksum = Checksum.of(number, key: key)
        return (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
    }
}
