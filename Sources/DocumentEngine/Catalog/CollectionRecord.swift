// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// The value of a collection in the catalog's two lists: the ID, and a checksum of the ID and the key. It protects the
/// name: a document's own checksum covers only its key, which contains the ID instead of the name.
enum CollectionRecord {
    static func bytes(_ collectionID: UInt64, key: [UInt8]) -> [UInt8] {
        CheckedRecord.bytes(OrderedInteger.bytes(collectionID), key: key)
    }

    /// Lists a collection by its path and in its group.
    static func put(
        _ path: CollectionPath, _ collectionID: UInt64, _ catalog: LongKeyWriter, _ transaction: inout Transaction
    ) throws(EngineError) {
        for key in keys(of: path) { try catalog.put(key, bytes(collectionID, key: key), &transaction) }
    }

    static func remove(_ path: CollectionPath, _ transaction: inout Transaction) throws(EngineError) {
        for key in keys(of: path) { try transaction.delete(key, from: .catalog) }
    }

    private static func keys(of path: CollectionPath) -> [[UInt8]] {
        [CatalogKey.collection(path), CatalogKey.groupMember(path)]
    }

    static func collectionID(in record: RawSpan, key: RawSpan) throws(EngineError) -> UInt64 {
        var offset = 0
        let collectionID = try OrderedInteger.read(record, &offset)
        let wanted = CheckedRecord.bytes(Checksum.of(record.extracting(0..<offset), key: key))
        guard record.extracting(offset..<record.byteCount).isEqual(to: wanted[...]) else {
            throw .damaged("a collection's name or number is not as it was written")
        }
        return collectionID
    }
}
