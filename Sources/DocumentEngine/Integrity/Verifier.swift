// SPDX-License-Identifier: Apache-2.0

internal import DocumentModel
internal import LMDB

/// Checks documents and index entries against each other: every document is readable and has exactly its entries, every
/// entry belongs to a document, and every ID in a key is known.
struct Verifier {
    private let database: DatabaseID
    private let catalog: CatalogSnapshot
    private let contents: CatalogContents
    /// Nil in a replica, whose documents have the server's times, or none.
    private let lastCommit: UInt64?
    private let orphanedRanges: OrphanedRanges
    private var allocator: IDAllocator
    private var entryBuilders: [Text: IndexEntryBuilder] = [:]
    /// Digests of the entries that the documents require.
    private var fieldEntries = EntryDigest()
    private var compositeEntries = EntryDigest()
    private(set) var report: VerificationReport
    private let work: VerificationWork
    private var progress: WorkProgress

    init(
        _ catalog: CatalogSnapshot, _ database: DatabaseID, _ report: VerificationReport,
        _ work: VerificationWork, _ progress: WorkProgress, isReplica: Bool, _ transaction: inout Transaction
    ) throws(EngineError) {
        self.catalog = catalog
        self.database = database
        self.report = report
        self.work = work
        self.progress = progress
        contents = try CatalogContents(&transaction)
        lastCommit = isReplica ? nil : try Counter(.commitTime).value(transaction)
        orphanedRanges = try OrphanedRanges(catalog, &transaction)
        allocator = IDAllocator()
    }

    mutating func verify(_ transaction: inout Transaction) throws(EngineError) {
        for problem in contents.problems { report.note(problem) }
        let broken = try OverflowAudit(&transaction).broken
        for entry in broken { report.note(entry.problem) }
        // Broken long keys would cause a flood of further problems.
        guard broken.isEmpty else { return }
        try verifyDocuments(&transaction)
        try verify(.fieldEntries, besides: orphanedRanges.fieldEntries, against: fieldEntries, &transaction)
        try verify(.compositeEntries, besides: orphanedRanges.compositeEntries, against: compositeEntries, &transaction)
    }

    private mutating func verifyDocuments(_ transaction: inout Transaction) throws(EngineError) {
        var slices = EntrySlices(.all, of: .documents)
        while let slice = try slices.next(&transaction) {
            for index in slice.entries.indices {
                let key = slice.bytes.span.bytes.extracting(slice.key(index))
                guard !orphanedRanges.documents.contains(key) else { continue }
                let record = slice.bytes.span.bytes.extracting(slice.value(index))
                do throws(EngineError) {
                    try verifyDocument([UInt8](copying: key), record, &transaction)
                } catch {
                    report.note(error.finding)
                }
                report.documents += 1
                progress.step(work.document)
            }
        }
    }

    /// Checks a document, and that its entries exist.
    private mutating func verifyDocument(
        _ key: [UInt8], _ record: RawSpan, _ transaction: inout Transaction
    ) throws(EngineError) {
        let (path, collectionID) = try contents.document(key)
        let document = try Document(path, record, key: key.span.bytes, database: database)
        if let lastCommit,
            document.updateTime.microseconds > Int64(clamping: lastCommit) || document.createTime > document.updateTime
        {
            report.note("\(path) was changed after the last commit, or before it was created")
        }
        if document.updateTime.microseconds == 0 { report.timeless += 1 }
        try verifyEntries(
            document, DocumentKey(path, collectionID: collectionID), entryBuilder(path.collection.group), &transaction)
    }

    private mutating func entryBuilder(_ group: Text) -> IndexEntryBuilder {
        if let known = entryBuilders[group] { return known }
        let entryBuilder = IndexEntryBuilder(group, catalog)
        entryBuilders[group] = entryBuilder
        return entryBuilder
    }

    private mutating func verifyEntries(
        _ document: Document, _ key: DocumentKey, _ entryBuilder: IndexEntryBuilder, _ transaction: inout Transaction
    ) throws(EngineError) {
        var fields = EntryBuffer()
        try entryBuilder.appendFieldEntries(document.fields, key, to: &fields, &allocator, &transaction)
        var composites = EntryBuffer()
        entryBuilder.appendCompositeEntries(document.fields, key, to: &composites)
        let fieldDigest = try verify(&fields, .fieldEntries, document.path, transaction)
        let compositeDigest = try verify(&composites, .compositeEntries, document.path, transaction)
        fieldEntries.add(fieldDigest)
        compositeEntries.add(compositeDigest)
    }

    private mutating func verify(
        _ buffer: inout EntryBuffer, _ store: StoreName, _ path: DocumentPath, _ transaction: borrowing Transaction
    ) throws(EngineError) -> EntryDigest {
        var digest = EntryDigest()
        buffer.sort()
        let bytes = buffer.bytes.span.bytes
        for index in buffer.entries.indices {
            let (key, value) = (bytes.extracting(buffer.key(index)), bytes.extracting(buffer.value(index)))
            digest.add(key: key, value: value)
            guard let stored = try transaction.get(key, from: store) else {
                report.note("\(path) lacks an index entry")
                continue
            }
            if compareBytes(stored, value) != 0 { report.note("\(path) has an index entry with a wrong value") }
        }
        return digest
    }

    /// Compares the stored entries with the required ones, and reports dangling entries.
    private mutating func verify(
        _ store: StoreName, besides spans: [KeyRange], against expected: EntryDigest, _ transaction: inout Transaction
    ) throws(EngineError) {
        var digest = EntryDigest()
        var cursor = try LongKeyCursor(store, &transaction)
        var isFound = try cursor.seek([UInt8]().span.bytes, &transaction)
        while isFound {
            if !spans.contains(cursor.key(transaction)) {
                digest.add(key: cursor.key(transaction), value: cursor.value(transaction))
            }
            progress.step(VerificationWork.entry)
            isFound = try cursor.next(&transaction)
        }
        cursor.close(&transaction)
        report.entries += digest.count
        guard digest != expected else { return }
        if digest.count != expected.count {
            report.note("there are \(digest.count) index entries, but the documents call for \(expected.count)")
        }
        try DanglingEntryCheck(catalog, database, contents).find(store, besides: spans, &report, &transaction)
        if report.problemCount == 0 { report.note("the index entries are not those that the documents call for") }
    }
}

/// A digest of a set of index entries, independent of their order. Sets with equal digests are equal, unless 64-bit
/// checksums collide.
struct EntryDigest: Equatable {
    private(set) var count = 0
    private var sum: UInt64 = 0

    mutating func add(key: RawSpan, value: RawSpan) {
        count += 1
        sum &+= Checksum.of(value, key: key)
    }

    mutating func add(_ other: EntryDigest) {
        count += other.count
        sum &+= other.sum
    }
}

/// The result of a verification.
package struct VerificationReport: Sendable {
    package internal(set) var documents = 0
    package internal(set) var entries = 0
    /// The documents without an update time, which only a replica has.
    var timeless = 0
    package private(set) var problemCount = 0
    /// Descriptions of the first hundred problems.
    package private(set) var problems: [String] = []

    /// A damaged file could have millions.
    private static let maximumProblems = 100

    package mutating func note(_ problem: String) {
        if problems.count < VerificationReport.maximumProblems { problems.append(problem) }
        problemCount += 1
    }
}
