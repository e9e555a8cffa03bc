// SPDX-License-Identifier: Apache-2.0

import DocumentModel
import QueryPlanner
import TestSupport
import Testing

@testable import DocumentEngine

/// The other writers wait while a validation compares queries with changes.
@Suite struct ReadValidatorTests {
    private struct Validation: Equatable {
        let isCurrent: Bool
        let comparisons: Int
    }

    private let database: TemporaryDatabase
    private var engine: Engine { database.engine }

    init() throws {
        database = try TemporaryDatabase(history: .long)
    }

    /// Reads the documents with n = 1 of each collection so many times.
    private func readSet(of collections: [Text], times: Int) throws -> ReadSet {
        var reads = try engine.beginReading()
        for collection in collections {
            let query = Query(from: CollectionSelector(collectionID: collection), filter: .field("n", .equal, 1))
            let result = try engine.run(.documents(query), at: reads.time)
            for _ in 0..<times { reads.add(result) }
        }
        return reads
    }

    /// Adds documents that are no rows of these queries.
    private func change(_ collection: Text, _ numbers: Range<Int>) throws {
        let path = CollectionPath(ResourcePath(segments: [collection]))
        _ = try engine.commit(numbers.map { .set(path.document(Text("\($0)")), ["n": 2]) })
    }

    private func validate(_ reads: ReadSet) throws -> Validation {
        let history = try engine.requireHistory()
        return try engine.read { (transaction) throws(EngineError) in
            var validator = ReadValidator(reads, history.reader, comparisonLimit: 1_000)
            let isCurrent = try validator.isCurrent(after: [], &transaction)
            return Validation(isCurrent: isCurrent, comparisons: validator.comparisons)
        }
    }

    /// Beyond the limit, a query counts as a read of its whole collection.
    @Test func comparisonsAreLimited() throws {
        let reads = try readSet(of: ["c"], times: 100)
        try change("c", 0..<10)
        #expect(try validate(reads) == Validation(isCurrent: true, comparisons: 1_000))
        try change("d", 0..<10)
        #expect(try validate(reads) == Validation(isCurrent: true, comparisons: 1_000))
        try change("c", 10..<11)
        #expect(try validate(reads) == Validation(isCurrent: false, comparisons: 1_000))
    }

    /// Queries of other collections are not even looked at.
    @Test func queriesAreFoundByTheirScopes() throws {
        let collections = (0..<100).map { Text("c\($0)") }
        let reads = try readSet(of: collections, times: 1)
        for collection in collections { try change(collection, 0..<2) }
        #expect(try validate(reads) == Validation(isCurrent: true, comparisons: 200))
        _ = try engine.commit([.set("c50/x", ["n": 1])])
        #expect(try !validate(reads).isCurrent)
    }
}
