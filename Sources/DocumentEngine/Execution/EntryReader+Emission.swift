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
        if let keyStart {
            reader.batch.append(keyStart.bytes, name, complemented: isNameDescending)
        } else {
            guard KeyReader.endsPath(name, descending: isNameDescending) else { throw .namesNoDocument }
            reader.names.append(name, complemented: isNameDescending, try OrderedInteger.read(value))
        }
        try reader.endRow(transaction)
    }
}
