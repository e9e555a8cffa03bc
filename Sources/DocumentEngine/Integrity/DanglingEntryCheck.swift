// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog

/// Finds dangling entries, which no document requires, and reports them. Use it only if entries differ, because it
/// derives a document's entries again for each entry.
struct DanglingEntryCheck {
    private let catalog: CatalogSnapshot
    private let database: DatabaseID
    private let contents: CatalogContents

    init(_ catalog: CatalogSnapshot, _ database: DatabaseID, _ contents: CatalogContents) {
        self.catalog = catalog
        self.database = database
        self.contents = contents
    }

    func find(
        _ store: StoreName, besides spans: [KeyRange], _ report: inout VerificationReport,
        _ transaction: inout Transaction
    ) throws(EngineError) {
        var slices = EntrySlices(.all, of: store)
        while let slice = try slices.next(&transaction) {
            for index in slice.entries.indices {
                let key = Array(slice.bytes[slice.key(index)])
                guard !spans.contains(key.span.bytes) else { continue }
                do throws(EngineError) {
                    let value = Array(slice.bytes[slice.value(index)])
                    let problem =
                        store == .compositeEntries
                        ? try compositeProblem(key, value, &transaction)
                        : try automaticProblem(key, value, &transaction)
                    if let problem { report.note(problem) }
                } catch {
                    report.note("an index entry cannot be read: \(error.finding)")
                }
            }
        }
    }

    private func automaticProblem(
        _ key: [UInt8], _ value: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> String? {
        var offset = 0
        let indexID = try OrderedInteger.read(key.span.bytes, &offset)
        guard let index = contents.fieldIndexes[indexID] else {
            return "an entry belongs to index number \(indexID), which is unknown"
        }
        let isGroup = index.scope == .collectionGroup
        let collectionID =
            isGroup ? try OrderedInteger.read(value.span.bytes) : try OrderedInteger.read(key.span.bytes, &offset)
        var reader = KeyReader(key.span.bytes, at: offset)
        do { try reader.skipValue() } catch { throw EngineError(error) }
        let name = Array(key[reader.offset...])
        let what = "the index of \(index.path) in \(index.collectionGroup)"
        return try problem(what, collectionID, name, isGroup: isGroup, .fieldEntries, key, &transaction)
    }

    private func compositeProblem(
        _ key: [UInt8], _ value: [UInt8], _ transaction: inout Transaction
    ) throws(EngineError) -> String? {
        var offset = 0
        let indexID = try OrderedInteger.read(key.span.bytes, &offset)
        guard let composite = catalog.composites.first(where: { $0.indexID == indexID }), offset < key.count else {
            return "an entry belongs to composite index number \(indexID), which is not defined"
        }
        let isGroup = key[offset] == 1
        offset += 1
        let collectionID =
            isGroup ? try OrderedInteger.read(value.span.bytes) : try OrderedInteger.read(key.span.bytes, &offset)
        var reader = KeyReader(key.span.bytes, at: offset)
        do throws(StoredFormatError) {
            for field in composite.definition.fields {
                if case .vector = field.mode { continue }
                try reader.skipValue(descending: field.mode == .order(.descending))
            }
        } catch {
            throw EngineError(error)
        }
        let stored = key[reader.offset...]
        let name = composite.definition.nameDirection == .ascending ? Array(stored) : stored.map { ~$0 }
        let what = "the index \(composite.definition.properties) of \(composite.definition.collectionGroup)"
        return try problem(what, collectionID, name, isGroup: isGroup, .compositeEntries, key, &transaction)
    }

    /// The problem with an entry of a document, or nil. The bytes of the name identify the document.
    private func problem(
        _ index: String, _ collectionID: UInt64, _ name: [UInt8], isGroup: Bool, _ store: StoreName, _ key: [UInt8],
        _ transaction: inout Transaction
    ) throws(EngineError) -> String? {
        guard let path = contents.pathOfID[collectionID] else {
            return "\(index) has an entry in collection number \(collectionID), which is unknown"
        }
        var id = 0..<name.count
        if isGroup {
            guard let (start, _) = KeyReader.lastSegment(of: name.span.bytes, descending: false) else {
                return "\(index) has an entry that names no document"
            }
            id = start..<name.count - 1
        }
        let document = try path.document(encodedID: name.span.bytes.extracting(id))
        let documentKey = DocumentKey(document, collectionID: collectionID)
        guard let fields = try fields(document, documentKey.bytes, transaction) else {
            return "\(index) has an entry of \(document), which does not exist"
        }
        var allocator = IDAllocator()
        let entryBuilder = IndexEntryBuilder(path.group, catalog)
        var buffer = EntryBuffer()
        if store == .fieldEntries {
            try entryBuilder.appendFieldEntries(fields, documentKey, to: &buffer, &allocator, &transaction)
        } else {
            entryBuilder.appendCompositeEntries(fields, documentKey, to: &buffer)
        }
        return buffer.contains(key: key) ? nil : "\(index) has an entry that \(document) does not call for"
    }

    private func fields(
        _ path: DocumentPath, _ key: [UInt8], _ transaction: borrowing Transaction
    ) throws(EngineError) -> Fields? {
        guard let record = try transaction.get(key.span.bytes, from: .documents) else { return nil }
        return try Document(path, record, key: key.span.bytes, database: database).fields
    }
}
