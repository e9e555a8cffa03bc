// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import Testing

@Suite struct BatchTests {
    private let sample: Sample
    private let database: Database

    init() throws {
        sample = try Sample()
        database = sample.database
    }

    /// W-33.
    @Test func writesHappenTogether() async throws {
        let cities = database.collection("cities")
        try await cities.document("LA").setData(["n": 1])
        try await cities.document("SF").setData(["n": 1, "m": 1])
        try await database.batch()
            .setData(["name": "New York City"], forDocument: cities.document("NYC"))
            .updateData(["population": 1_000_000], forDocument: cities.document("NYC"))
            .setData(["n": FieldValue.increment(1)], forDocument: cities.document("SF"), merge: true)
            .setData(["n": 9, "m": 9], forDocument: cities.document("SF"), mergeFields: ["m"])
            .deleteDocument(cities.document("LA"))
            .commit()
        #expect(try await cities.document("NYC").getDocument()["population"] as? Int == 1_000_000)
        #expect(try await cities.document("SF").getDocument().data() as? [String: Int] == ["n": 2, "m": 9])
        #expect(try await !cities.document("LA").getDocument().exists)
    }

    @Test func oneFailureUndoesAll() throws {
        let batch = database.batch()
        batch.setData(["n": 1], forDocument: database.document("a/b"))
        batch.updateData(["n": 1], forDocument: database.document("a/missing"))
        #expect(
            text(.notFound) { try batch.sync.commit() }
                == "No document to update: projects/hearth/databases/(default)/documents/a/missing")
        #expect(try !database.document("a/b").sync.getDocument().exists)
    }

    @Test func whatIsWrongIsThrownByTheCommit() throws {
        let batch = database.batch()
        batch.setData(["n": 1], forDocument: database.document("a/b"))
        batch.setData(["__x__": 1], forDocument: database.document("a/c"))
        #expect(text(.invalidArgument) { try batch.sync.commit() }?.hasPrefix("Invalid data.") == true)
        #expect(try !database.document("a/b").sync.getDocument().exists)
        #expect(
            text(.failedPrecondition) { try batch.sync.commit() }
                == "A write batch can no longer be used after commit has been called.")
        let other = try Sample()
        let foreign = database.batch().deleteDocument(other.database.document("a/b"))
        #expect(
            text(.invalidArgument) { try foreign.sync.commit() }
                == "Provided document reference is from a different Cloud Firestore instance.")
        try database.batch().sync.commit()
    }

    @Test func manyWrites() throws {
        let batch = database.batch()
        for number in 0..<2_000 { batch.setData(["n": number], forDocument: database.document("many/\(number)")) }
        try batch.sync.commit()
        #expect(try database.collection("many").count.sync.getAggregation().count == 2_000)
    }

    @Test func withACallback() async throws {
        let batch = database.batch().setData(["n": 1], forDocument: database.document("a/b"))
        let error = await withCheckedContinuation { continuation in
            batch.commit { continuation.resume(returning: $0 == nil) }
        }
        #expect(error)
        #expect(try await database.document("a/b").getDocument().exists)
    }
}
