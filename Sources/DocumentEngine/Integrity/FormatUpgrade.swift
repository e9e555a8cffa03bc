// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel

/// Gives the records of a file of an older format today's checksums, inside a repair's transaction.
///
/// It leaves a record that does not match its old checksum as it is. Such a record does not match today's checksum either, so the
/// repair treats it as damaged.
struct FormatUpgrade {
    let oldFormat: Int64

    /// Formats 1 to 4 have no checksums of definitions, loads and dropped indexes.
    func upgradeDefinitions(_ transaction: inout Transaction) throws(EngineError) {
        for prefix in CatalogKey.checkedSinceFormat5 {
            for (key, record) in try transaction.scan(prefix: prefix, of: .catalog) {
                try transaction.put(key, CheckedRecord.bytes(record, key: key), into: .catalog)
            }
        }
    }

    func upgradeCollections(_ transaction: inout Transaction) throws(EngineError) {
        guard oldFormat < 4 else { return }
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
        let wanted = oldFormat < 3 ? [] : CheckedRecord.bytes(checksum)
        return record[end...] == wanted[...] ? collectionID : nil
    }

    func upgradeDocuments(_ transaction: inout Transaction) throws(EngineError) {
        guard oldFormat < 4 else { return }
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
