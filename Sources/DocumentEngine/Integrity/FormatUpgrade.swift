// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Replaces the checksums of a file of format 1, 2 or 3 by today's, inside a repair's transaction.
///
/// It leaves a record that does not match its old checksum as it is. Such a record does not match today's checksum either, so the
/// repair treats it as damaged.
struct FormatUpgrade {
    let oldFormat: Int64

    func upgradeCollections(_ transaction: inout Transaction) throws(EngineError) {
        let writer = try LongKeyWriter(.catalog, &transaction)
        for list in [CatalogKey.collections, CatalogKey.groupMembers] {
            for (key, record) in try transaction.scan(prefix: list, of: .catalog) {
                guard let collectionID = collectionID(in: record, key: key) else { continue }
                try writer.put(key, CollectionRecord.bytes(collectionID, key: key), &transaction)
            }
        }
        writer.close(&transaction)
    }

    /// Formats 1 and 2 have no checksums of collections.
    private func collectionID(in record: [UInt8], key: [UInt8]) -> UInt64? {
        var end = 0
        guard let collectionID = try? OrderedInteger.read(record.span.bytes, &end) else { return nil }
        let checksum = ChecksumOfFormat3.of(record.span.extracting(first: end), key: key.span)
        let wanted = oldFormat < 3 ? [] : CollectionRecord.bytes(checksum)
        return record[end...] == wanted[...] ? collectionID : nil
    }

    func upgradeDocuments(_ transaction: inout Transaction) throws(EngineError) {
        let writer = try LongKeyWriter(.documents, &transaction)
        var slices = EntrySlices(.all, of: .documents)
        while let slice = try slices.next(&transaction) {
            for index in slice.entries.indices {
                let key = Array(slice.bytes[slice.key(index)])
                if let record = StoredDocument.upgraded(Array(slice.bytes[slice.value(index)]), key: key) {
                    try writer.put(key, record, &transaction)
                }
            }
        }
        writer.close(&transaction)
    }
}
