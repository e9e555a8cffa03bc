// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB
internal import QueryPlanner

extension EntryReader {
    /// Must be called before the entries of a scan are emitted into a reader.
    func begin(in reader: inout RecordReader) {
        if let collection { reader.enter(collection) }
    }

    /// Emits an entry's document into a reader.
    func emit(
        suffix: RawSpan, value: RawSpan, into reader: inout RecordReader, _ context: ExecutionContext,
        _ transaction: borrowing Transaction
    ) throws(EngineError) {
        if !isGroup {
            try appendDocumentKey(to: &reader.batch.keys, suffix: suffix, value: value)
        } else if try !emitOfKnownCollection(suffix, value, into: &reader, context.ids) {
            let known = try knownCollection(suffix, value, context, transaction)
            reader.enter(known.path)
            try appendDocumentKey(to: &reader.batch.keys, suffix: suffix, value: value)
        }
        try reader.endRow(transaction)
    }

    /// As ``emit(suffix:value:into:_:_:)`` up to the row's end, in group scope, without decoding the name of the collection. Returns
    /// false if the collection is not known, or if the entry cannot be right.
    private func emitOfKnownCollection(
        _ suffix: RawSpan, _ value: RawSpan, into reader: inout RecordReader, _ ids: IDTable
    ) throws(EngineError) -> Bool {
        let collectionID = try OrderedInteger.read(value)
        guard let known = ids.knownCollection(collectionID) else { return false }
        let start = try start(of: scan.suffix.count - 1, in: suffix)
        let name = suffix.extracting(start..<suffix.byteCount)
        guard let id = known.id(in: name, descending: isNameDescending) else { return false }
        reader.enter(known.path)
        OrderedInteger.append(collectionID, to: &reader.batch.keys)
        let first = reader.batch.keys.count
        reader.batch.keys.append(copying: name.extracting(id))
        guard isNameDescending else { return true }
        for index in first..<reader.batch.keys.count { reader.batch.keys[index] = ~reader.batch.keys[index] }
        return true
    }

    /// The collection of an entry in group scope, decoded from the entry's name.
    private func knownCollection(
        _ suffix: RawSpan, _ value: RawSpan, _ context: ExecutionContext, _ transaction: borrowing Transaction
    ) throws(EngineError) -> KnownCollection {
        let collection = try path(suffix).collection
        try context.requireCollectionID(of: collection, in: value, transaction)
        let known = KnownCollection(collection)
        context.ids.note(known, try OrderedInteger.read(value))
        return known
    }
}
