// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hearth
import TestSupport
import Testing

/// Versions of the program's own data, and batches over all documents.
struct MigrationTests {
    struct Interruption: Error {}

    let folder: TemporaryDirectory
    let database: Database

    init() throws {
        folder = try TemporaryDirectory()
        database = try Database.open(path: folder.path("data.db"))
    }

    @Test func stepsRunOnceEach() async throws {
        #expect(try await database.dataVersion() == 0)
        var steps: [Int] = []
        try await database.migrate(to: 2) { steps.append($0) }
        try await database.migrate(to: 2) { steps.append($0) }
        try await database.migrate(to: 4) { steps.append($0) }
        #expect(steps == [1, 2, 3, 4])
        #expect(try await database.dataVersion() == 4)
        let error = await #expect(throws: FirestoreError.self) { try await database.migrate(to: 3) { _ in } }
        #expect(error?.status == .failedPrecondition)
    }

    @Test func aStepThatThrowsRunsAgain() throws {
        var steps: [Int] = []
        #expect(throws: Interruption.self) {
            try database.sync.migrate(to: 3) { version in
                steps.append(version)
                if version == 2 { throw Interruption() }
            }
        }
        let again = try Database.open(path: folder.path("data.db"))
        #expect(try again.sync.dataVersion() == 1)
        try again.sync.migrate(to: 3) { steps.append($0) }
        #expect(steps == [1, 2, 2, 3])
        #expect(try again.sync.verify().problemCount == 0)
    }

    /// A slow older program must not set the version back.
    @Test func ofTwoMigrationsAtOnceOneIsRefused() async throws {
        let newer = try await Database.open(path: folder.path("data.db"))
        let error = await #expect(throws: FirestoreError.self) {
            try await database.migrate(to: 2) { version in
                if version == 1 { try await newer.migrate(to: 3) { _ in } }
            }
        }
        #expect(error?.status == .aborted)
        #expect(try await database.dataVersion() == 3)
    }

    @Test(arguments: [1, 7, 20, 21, 100]) func batchesAreTheWholeQuery(size: Int) async throws {
        for number in 0..<20 {
            try await database.document("c/d\(number)").setData(["n": number % 3])
            try await database.document("c/d\(number)/c/e").setData(["n": number])
        }
        for query in [database.collection("c"), database.collection("c").order(by: "n", descending: true)] {
            var found: [String] = []
            for try await batch in query.batches(of: size) {
                #expect(!batch.isEmpty && batch.count <= size)
                found += batch.map(\.documentID)
            }
            #expect(found == (try await query.getDocuments().documents.map(\.documentID)))
        }
        var count = 0
        for try await batch in database.collectionGroup("c").batches(of: size) { count += batch.count }
        #expect(count == 40)
    }

    @Test func aWalkDoesNotMeetItsOwnWrites() async throws {
        for number in 0..<10 { try await database.document("c/d\(number)").setData(["n": number]) }
        for try await batch in database.collection("c").batches(of: 3) {
            for document in batch { try await document.reference.updateData(["n": FieldValue.increment(Int64(1))]) }
        }
        let sum = try await database.collection("c").aggregate([.sum("n")]).getAggregation(source: .server).get(
            .sum("n"))
        #expect(sum as? Int == 55)
    }
}
