// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

extension EntryReader {
    /// Emits an entry's document into a reader, which has the scan's collection.
    func emit(
        suffix: RawSpan, value: RawSpan, into reader: inout RecordReader, _ transaction: borrowing Transaction
    ) throws(EngineError) {
        let name = try storedName(in: suffix)
        if isGroup {
            let id = try idRange(in: name)
            var numberEnd = 0
            let collectionID = try OrderedInteger.read(value, &numberEnd)
            let path = name.extracting(0..<id.lowerBound)
            reader.collections.append(path, complemented: isNameDescending, collectionID)
            reader.batch.append(
                value.extracting(0..<numberEnd), name.extracting(id), complemented: isNameDescending)
        } else {
            let keyStart = keyStart
            reader.batch.append(keyStart.span.bytes, name, complemented: isNameDescending)
        }
        try reader.endRow(transaction)
    }
}
