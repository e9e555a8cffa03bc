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
            guard let (idStart, count) = KeyReader.lastSegment(of: name, descending: isNameDescending), count % 2 == 0
            else { throw .damaged("an index entry names no document") }
            let id = name.extracting(idStart..<name.byteCount - 1)
            var numberEnd = 0
            let collectionID = try OrderedInteger.read(value, &numberEnd)
            reader.collections.append(name.extracting(0..<idStart), complemented: isNameDescending, collectionID)
            reader.batch.append(value.extracting(0..<numberEnd), id, complemented: isNameDescending)
        } else {
            let keyStart = keyStart
            reader.batch.append(keyStart.span.bytes, name, complemented: isNameDescending)
        }
        try reader.endRow(transaction)
    }
}
