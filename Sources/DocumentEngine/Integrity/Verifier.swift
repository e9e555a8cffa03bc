// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import IndexCatalog
internal import LMDB
internal import QueryPlanner

/// Proves documents and index entries against each other, both ways: every document is whole and has exactly its entries, every
/// entry belongs to a document, every number in keys is known.
struct Verifier {
    private let stores: Stores
    private let database: DatabaseID
    private let catalog: CatalogSnapshot
    private var numbers: NumberGiver
    private var indexers: [Text: GroupIndexer] = [:]
    private(set) var report = VerificationReport()

    /// Enough to see what is wrong; a damaged file could have millions.
    private static let maximumProblems = 100

    init(_ stores: Stores, _ catalog: CatalogSnapshot, _ database: DatabaseID) {
        self.stores = stores
        self.catalog = catalog
        self.database = database
        numbers = NumberGiver(reading: stores)
    }

    @_lifetime(cursors: copy cursors)
    mutating func verify(_ cursors: inout CursorSet) throws(EngineError) {
        let collections = try collections(&cursors)
        var expected = 0
        var documents = try KeyCursor(stores.keyed(stores.documents), &cursors)
        var isFound = try documents.seek([UInt8]().span.bytes, &cursors)
        while isFound {
            let key = [UInt8](copying: documents.key(cursors))
            let record = [UInt8](copying: documents.value(cursors))
            expected += try verifyDocument(key, record, collections, &cursors)
            report.documents += 1
            isFound = try documents.next(&cursors)
        }
        documents.close(&cursors)
        let found = try count(stores.fieldEntries, &cursors) + count(stores.compositeEntries, &cursors)
        report.entries = found
        if found != expected {
            note("\(found) index entries stand where the documents call for \(expected)")
            try findStrays(collections, &cursors)
        }
    }

    private mutating func note(_ problem: String) {
        if report.problems.count < Verifier.maximumProblems { report.problems.append(problem) }
        report.problemCount += 1
    }

    @_lifetime(cursors: copy cursors)
    private mutating func collections(_ cursors: inout CursorSet) throws(EngineError) -> [UInt64: CollectionPath] {
        var list = try CollectionList(.descendants(of: nil), stores, backwards: false, &cursors)
        var collections: [UInt64: CollectionPath] = [:]
        while let item = try list.next(&cursors) {
            let path = try CollectionPath(encoded: item.path)
            if collections.updateValue(path, forKey: item.number) != nil {
                note("the number \(item.number) stands for two collections")
            }
            let member = CatalogKey.groupMember(path)
            let listed = try stores.keyed(stores.catalog).get(cursors, member.span.bytes)
            if listed == nil { note("\(path) is missing among its collection group") }
        }
        return collections
    }

    /// Checks a document and that each of its entries stands; returns how many there are.
    @_lifetime(cursors: copy cursors)
    private mutating func verifyDocument(
        _ key: [UInt8], _ record: [UInt8], _ collections: [UInt64: CollectionPath], _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var offset = 0
        do throws(EngineError) {
            let number = try OrderedInteger.read(key.span.bytes, &offset)
            guard let collection = collections[number] else {
                note("a document lies in collection number \(number), which is unknown")
                return 0
            }
            let id = key.span.bytes.extracting(offset..<key.count)
            let path = try collection.document(encodedID: id)
            let document = try Document(path, record.span.bytes, key: key.span.bytes, database: database)
            let documentKey = DocumentKey(path, collection: number)
            let indexer = indexer(path.collection.group)
            return try verifyEntries(document, documentKey, indexer, &cursors)
        } catch {
            note(error.finding)
            return 0
        }
    }

    private mutating func indexer(_ group: Text) -> GroupIndexer {
        if let known = indexers[group] { return known }
        let indexer = GroupIndexer(group, catalog)
        indexers[group] = indexer
        return indexer
    }

    @_lifetime(cursors: copy cursors)
    private mutating func verifyEntries(
        _ document: Document, _ key: DocumentKey, _ indexer: GroupIndexer, _ cursors: inout CursorSet
    ) throws(EngineError) -> Int {
        var fields = EntryBuffer()
        try indexer.appendFieldEntries(document.fields, key, to: &fields, &numbers, &cursors)
        var composites = EntryBuffer()
        for composite in indexer.composites {
            indexer.appendCompositeEntries(document.fields, key, composite, to: &composites)
        }
        return try verify(&fields, stores.fieldEntries, document.path, cursors)
            + verify(&composites, stores.compositeEntries, document.path, cursors)
    }

    private mutating func verify(
        _ buffer: inout EntryBuffer, _ store: Store, _ path: DocumentPath, _ cursors: borrowing CursorSet
    ) throws(EngineError) -> Int {
        buffer.sort()
        let bytes = buffer.bytes.span.bytes
        for index in buffer.entries.indices {
            let stored = try stores.keyed(store).get(cursors, bytes.extracting(buffer.key(index)))
            guard let stored else {
                note("\(path) lacks an index entry")
                continue
            }
            if compareBytes(stored, bytes.extracting(buffer.value(index))) != 0 {
                note("\(path) has an index entry with a wrong value")
            }
        }
        return buffer.entries.count
    }

    /// Names entries that no document calls for.
    @_lifetime(cursors: copy cursors)
    private mutating func findStrays(
        _ collections: [UInt64: CollectionPath], _ cursors: inout CursorSet
    ) throws(EngineError) {
        var strays = try StrayFinder(stores, catalog, database, collections, &cursors)
        try strays.find(stores.fieldEntries, &cursors)
        try strays.find(stores.compositeEntries, &cursors)
        for stray in strays.found { note(stray) }
    }

    @_lifetime(cursors: copy cursors)
    private func count(_ store: Store, _ cursors: inout CursorSet) throws(EngineError) -> Int {
        var cursor = try KeyCursor(stores.keyed(store), &cursors)
        var count = 0
        var isFound = try cursor.seek([UInt8]().span.bytes, &cursors)
        while isFound {
            count += 1
            isFound = try cursor.next(&cursors)
        }
        cursor.close(&cursors)
        return count
    }
}

/// What a verification saw.
package struct VerificationReport: Sendable {
    package internal(set) var documents = 0
    package internal(set) var entries = 0
    package internal(set) var problemCount = 0
    /// The first hundred, in words.
    package internal(set) var problems: [String] = []
}
